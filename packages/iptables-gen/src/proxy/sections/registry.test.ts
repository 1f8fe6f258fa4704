// Packet tables for the sections, and the order that the registry promises. Files covered here: 'cluster-ip',
// 'endpoint-chains', 'external-ip', 'forward', 'health-check', 'load-balancer', 'localnet-guard', 'masquerade',
// 'no-endpoints', 'node-port', 'section', 'source-ranges', 'traffic-policy'.

import { snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, service } from '@kubewire/kube-model/testing'
import { describe, expect, it, test } from 'vitest'
import { createDescribePackets } from '../../testing/describe-packets.ts'
import { packetTables } from '../../testing/packet-tables.ts'
import { printRestoreRule } from '../../text/print-rule.ts'
import { buildRuleset } from '../build-ruleset.ts'
import { isDispatchChain, isHashedChain } from '../chain-names.ts'
import { proxyOptions } from '../options.ts'

const describePackets = createDescribePackets({ describe, test })

for (const { title, setup, rows } of packetTables) describePackets(title, setup, rows)

test.each(packetTables)('rules of service ports go to their own chains or to dispatch chains: $title', ({ setup }) => {
  const { objects, node, ...given } = setup
  const { ruleset } = buildRuleset(snapshotOf(objects), proxyOptions({ family: 4, nodeName: node, ...given }))
  for (const table of ['filter', 'nat'] as const)
    for (const { name, rules } of ruleset.tables[table]?.values() ?? [])
      if (rules.some(({ origin }) => origin !== undefined))
        expect(isHashedChain(name) || isDispatchChain(table, name), `${table} ${name}`).toBe(true)
})

describe('the order of rules', () => {
  const objects = [service('shop/web', { clusterIP: '10.96.4.4' }), endpointSlice('shop/web', ['10.244.1.5'])]
  const { ruleset } = buildRuleset(snapshotOf(objects), proxyOptions({ family: 4, nodeName: 'edge-1' }))

  it('ends KUBE-SERVICES with the jump to node ports', () => {
    const last = ruleset.tables.nat?.get('KUBE-SERVICES')?.rules.at(-1)
    expect(last && printRestoreRule(last, 4)).toContain('-j KUBE-NODEPORTS')
  })

  it('puts the jumps from built-in chains in the order in which inserting at the head leaves them', () => {
    const text = ruleset.tables.filter?.get('INPUT')?.rules.map((rule) => printRestoreRule(rule, 4))
    expect(text?.map((line) => /-j (\S+)$/.exec(line)?.[1])).toEqual([
      'KUBE-FIREWALL',
      'KUBE-PROXY-FIREWALL',
      'KUBE-NODEPORTS',
      'KUBE-EXTERNAL-SERVICES',
    ])
  })
})
