// Objects that a real API server would refuse never produce a line that the kernel's programs refuse: whatever stands
// in a Service or slice, `iptables-restore --test` takes the text. Both variants, both families, nft too.

import {
  buildNftTable,
  buildRuleset,
  diffFromNothing,
  type NodePortAddresses,
  planNft,
  planNftLoad,
  printRestore,
  proxyOptions,
} from '@kubewire/iptables-gen'
import { type KubeObject, parseCidr, parseIp, snapshotOf } from '@kubewire/kube-model'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createNetns, type Netns, whyNoNetns } from '../harness/netns.ts'

const reason = whyNoNetns()
if (reason !== undefined) console.log(`garbage.kernel.ts skipped: ${reason}`)

const nastyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    '',
    '"',
    '\\',
    'a b',
    '-j ACCEPT',
    '\n-A INPUT -j DROP',
    '#',
    'x'.repeat(300),
    '::1',
    '10.0.0.1/33',
    '%eth0',
    '0x7f.1',
    '"; drop',
  ),
)
const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('web', 'api', 'x'.repeat(63), 'a-b-c') },
  { weight: 1, arbitrary: nastyText },
)
const address = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '10.96.0.10',
      '010.1.2.3',
      '198.51.100.9',
      'fd00::10',
      '2001:db8::1',
      '::ffff:10.0.0.1',
      '127.0.0.1',
      '0.0.0.0',
    ),
  },
  { weight: 1, arbitrary: nastyText },
)
const port = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 65_535 }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(0, -1, 65_536, 1.5, Number.NaN, 1e9, '80', null) },
)
const protocol = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('TCP', 'UDP', 'SCTP') },
  { weight: 1, arbitrary: nastyText },
)
const range = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('203.0.113.0/24', ' 10.1.2.3/8 ', '2001:db8::/32', '0.0.0.0/0', '192.0.2.1/32'),
  },
  { weight: 1, arbitrary: nastyText },
)
const policy = fc.oneof(fc.constantFrom('Local', 'Cluster'), nastyText)

const serviceObject = fc.record({
  metadata: fc.record({ namespace: name, name }),
  spec: fc.record({
    type: fc.oneof(fc.constantFrom('ClusterIP', 'NodePort', 'LoadBalancer'), nastyText),
    clusterIP: address,
    externalIPs: fc.array(address, { maxLength: 2 }),
    loadBalancerSourceRanges: fc.array(range, { maxLength: 2 }),
    ports: fc.array(fc.record({ name, port, nodePort: port, protocol }), { maxLength: 3 }),
    sessionAffinity: fc.constantFrom('None', 'ClientIP'),
    sessionAffinityConfig: fc.record({ clientIP: fc.record({ timeoutSeconds: port }) }),
    externalTrafficPolicy: policy,
    internalTrafficPolicy: policy,
    healthCheckNodePort: port,
  }),
  status: fc.record({ loadBalancer: fc.record({ ingress: fc.array(fc.record({ ip: address }), { maxLength: 2 }) }) }),
})

const clusters = fc
  .array(
    fc.tuple(
      serviceObject,
      fc.array(fc.record({ addresses: fc.array(address, { maxLength: 2 }), nodeName: name }), { maxLength: 4 }),
      port,
    ),
    { maxLength: 4 },
  )
  .map((entries) =>
    entries.flatMap(([service, endpoints, number]): KubeObject[] => {
      const { namespace, name: serviceName } = service.metadata
      const slice = (addressType: string) => ({
        kind: 'EndpointSlice',
        metadata: {
          namespace,
          name: `${serviceName}-${addressType}`,
          labels: { 'kubernetes.io/service-name': serviceName },
        },
        addressType,
        ports: service.spec.ports.map((one) => ({ name: one.name, protocol: one.protocol, port: number })),
        endpoints,
      })
      return [{ kind: 'Service', ...service }, slice('IPv4'), slice('IPv6')] as KubeObject[]
    }),
  )

describe.skipIf(reason !== undefined)('garbage in objects', () => {
  let netns: Netns
  beforeAll(async () => {
    netns = await createNetns('garbage')
  })
  afterAll(() => netns?.close())

  const optionsOf = (family: 4 | 6) => {
    const nodeIp = parseIp(family === 4 ? '192.0.2.11' : '2001:db8::11')
    const cidr = parseCidr(family === 4 ? '10.244.0.0/16' : 'fd00:244::/56')
    const serving: NodePortAddresses = { kind: 'all' }
    return proxyOptions({
      family,
      nodeName: 'web',
      nodePortAddresses: serving,
      ...(nodeIp === undefined ? {} : { nodeIp }),
      ...(cidr === undefined ? {} : { detector: { kind: 'cidr', cidr } }),
    })
  }

  it.each([
    ['iptables-nft-restore', 4],
    ['ip6tables-nft-restore', 6],
    ['iptables-legacy-restore', 4],
    ['ip6tables-legacy-restore', 6],
  ] as const)('never makes a line that %s refuses', async (program, family) => {
    await fc.assert(
      fc.asyncProperty(clusters, async (objects) => {
        const text = printRestore(buildRuleset(snapshotOf(objects), optionsOf(family)).ruleset)
        const result = await netns.run(program, ['--test', '--noflush', '--counters'], { input: text })
        expect(`${result.exitCode} ${result.stderr}`).toBe('0 ')
      }),
      { numRuns: 60, seed: 20_261_129 },
    )
  })

  it.each([4, 6] as const)('never makes a transaction that nft refuses, family %s', async (family) => {
    await fc.assert(
      fc.asyncProperty(clusters, async (objects) => {
        const options = { ...optionsOf(family), serviceCidrs: [] }
        const table = buildNftTable(buildRuleset(snapshotOf(objects), options).ports, options)
        const inChains = { family, takesRulesInChains: true, replaces: true }
        const steps = planNft(diffFromNothing(table), inChains).map((step) => step.text())
        for (const input of [planNftLoad(undefined, table), ...steps]) {
          const result = await netns.run('nft', ['-c', '-f', '-'], { input })
          expect(`${result.exitCode} ${result.stderr}`).toBe('0 ')
        }
      }),
      { numRuns: 60, seed: 20_261_129 },
    )
  })
})
