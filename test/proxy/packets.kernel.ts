// The packet tables of the generator on the kernel: what the simulator says of a packet happens, whichever variant of
// iptables wrote the rules.

import {
  type CaseConfig,
  type CaseFlow,
  type FlowResult,
  type Manifest,
  type PacketTable,
  packetTables,
} from '@kubewire/iptables-gen/cases'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRealDriver } from '../conformance/proxy/real-driver.ts'
import { whyNoNetns } from '../harness/netns.ts'

const reason = whyNoNetns()
if (reason !== undefined) console.log(`packets.kernel.ts skipped: ${reason}`)

describe.skipIf(reason !== undefined).each(['nft', 'legacy'])('packets on the kernel, iptables-%s', (backend) => {
  let driver: Awaited<ReturnType<typeof createRealDriver>>
  beforeAll(async () => {
    const settings = { backend, pace: 'fast' }
    driver = await createRealDriver({ target: 'ours', api: 'mini', via: 'real', settings, progress: () => {} })
  }, 60_000)
  afterAll(() => driver?.close())

  it.each(packetTables)(
    '$title',
    async ({ setup, rows }) => {
      const config: CaseConfig = {
        nodeName: setup.node,
        nodeIPs: [nodeAddress],
        clusterCIDR: '10.244.0.0/16',
        mode: 'iptables',
      }
      await driver.begin(config, setup.objects as unknown as readonly Manifest[])
      try {
        const found = []
        for (const row of rows) found.push([row[4], fateOf(await driver.flow(flowOf(row)))])
        expect(found).toEqual(rows.map((row) => [row[4], `${landing(row[2])}${row[3] ? ' rewritten' : ''}`]))
      } finally {
        await driver.end()
      }
    },
    90_000,
  )
})

const nodeAddress = '192.0.2.11'

type Row = PacketTable['rows'][number]

function flowOf([from, to, landsOn]: Row): CaseFlow {
  const [, ip = '', port = ''] = /^([^:]+):([0-9]+)$/.exec(to) ?? []
  const isNode = from.startsWith('node')
  const source = isNode ? from.slice(5) || nodeAddress : from
  const kind = isNode ? 'node' : source.startsWith('10.244.') ? 'pod' : 'external'
  const isServed = landsOn.includes(':')
  return {
    from: { kind, ip: source },
    to: { ip, port: Number(port), protocol: 'TCP' },
    expect: {
      verdict: landsOn === 'dropped' ? 'drop' : landsOn === 'rejected' ? 'reject' : 'accept',
      dnat: isServed ? landsOn.split(' ') : [],
    },
  }
}

function landing(landsOn: string): string {
  return landsOn.split(' ').sort().join(' ')
}

function fateOf({ verdict, targets }: FlowResult): string {
  if (verdict !== 'accept') return verdict === 'drop' ? 'dropped' : 'rejected'
  if (targets.size === 0) return 'untouched'
  const isRewritten = [...targets.values()].some(Boolean)
  return `${[...targets.keys()].sort().join(' ')}${isRewritten ? ' rewritten' : ''}`
}
