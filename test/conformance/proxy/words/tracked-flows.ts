// conntrack-when-it-runs: when tracked flows are looked at, and which go.

import type { TrackedFlow } from '@kubewire/iptables-gen'
import type { KubeObject } from '@kubewire/kube-model'
import type { Checks } from './check.ts'
import { createProxierBench, type ProxierBench, pairOf } from './proxier-bench.ts'

type Row = Readonly<Record<string, unknown>>

const flow = (destination: string, destinationPort: number, replySource = '10.244.1.1'): TrackedFlow => ({
  protocol: 'udp',
  source: '203.0.113.9',
  sourcePort: 4000,
  destination,
  destinationPort,
  replySource,
  replySourcePort: 5353,
})

const flows = [flow('10.96.30.2', 53), flow('198.18.0.3', 53), flow('198.51.100.3', 53), flow('192.0.2.11', 30_055)]

const tcp = pairOf('tcp', 'TCP', '10.244.1.1', { spec: { clusterIP: '10.96.30.9' } })
const udpSpec = {
  spec: { type: 'LoadBalancer', clusterIP: '10.96.30.2', externalIPs: ['198.18.0.3'] },
  ports: [{ name: 'p', port: 53, protocol: 'UDP', nodePort: 30_055 }],
}
const withVip = (pair: { readonly service: KubeObject; readonly slice: KubeObject }) => ({
  ...pair,
  service: { ...pair.service, status: { loadBalancer: { ingress: [{ ip: '198.51.100.3' }] } } } as KubeObject,
})
const udp = withVip(pairOf('udp', 'UDP', '10.244.1.1', udpSpec))
const mixed = pairOf('mixed', 'UDP', '10.244.1.1', {
  spec: { clusterIP: '10.96.30.7' },
  ports: [
    { name: 't', port: 80, protocol: 'TCP' },
    { name: 'u', port: 80, protocol: 'UDP' },
  ],
})

/** What each change does to a bench that has synced with all three services. */
const changes: Readonly<Record<string, (bench: ProxierBench) => void>> = {
  'endpoints of a TCP service': (bench) => void bench.put(pairOf('tcp', 'TCP', '10.244.1.2').slice),
  'node port of a UDP service': (bench) =>
    void bench.put(
      pairOf('udp', 'UDP', '10.244.1.1', {
        ...udpSpec,
        ports: [{ name: 'p', port: 53, protocol: 'UDP', nodePort: 30_056 }],
      }).service,
    ),
  'endpoints of a UDP service': (bench) => void bench.put(pairOf('udp', 'UDP', '10.244.1.2', udpSpec).slice),
  'endpoints of a mixed service': (bench) =>
    void bench.put({ ...mixed.slice, endpoints: [{ addresses: ['10.244.1.3'] }] } as KubeObject),
  'slice of a UDP service deleted': (bench) => void bench.remove(udp.slice),
  'endpoints of a UDP service, iptables-restore exits 1': (bench) => {
    bench.put(pairOf('udp', 'UDP', '10.244.1.2', udpSpec).slice)
    bench.put(pairOf('new', 'TCP', '10.244.1.9', { spec: { clusterIP: '10.96.30.8' } }).service)
    bench.iptables.restoreExit = 1
  },
  'retry after the failure': () => {},
  'condition change': (bench) =>
    void bench.put(
      pairOf('udp', 'UDP', '10.244.1.1', { ...udpSpec, conditions: { ready: false, serving: true, terminating: true } })
        .slice,
    ),
  'IPv6 slice of a UDP service': (bench) => void bench.put(pairOf('udp', 'UDP', 'fd00::1', udpSpec).slice),
}

export async function conntrackWhenCase(data: Row, checks: Checks): Promise<void> {
  let failed: ProxierBench | undefined
  for (const [i, step] of (data['steps'] as Row[]).entries()) {
    const change = String(step['change'])
    const name = `steps[${i}] ${change}`
    const apply = changes[change]
    if (apply === undefined) {
      checks.ok(name, false, `no test for the change ${change}`)
      continue
    }
    const bench = change === 'retry after the failure' && failed !== undefined ? failed : await syncedBench(4)
    const before = bench.cleanups()
    apply(bench)
    const isDone = await bench.proxier.sync()
    if (!isDone) failed = bench
    bench.iptables.restoreExit = 0
    const isOther = step['family'] === 'IPv6 only'
    checks.equal(`${name} cleanup`, isOther ? false : step['cleanup'], bench.cleanups() > before)
    if (isOther) await checkOtherFamily(name, apply, step, checks)
    if (step['deleted'] !== undefined) checkDeleted(name, String(step['deleted']), bench, checks)
  }
}

async function checkOtherFamily(
  name: string,
  apply: (bench: ProxierBench) => void,
  step: Row,
  checks: Checks,
): Promise<void> {
  const bench = await syncedBench(6)
  const before = bench.cleanups()
  apply(bench)
  await bench.proxier.sync()
  checks.equal(`${name} cleanup IPv6`, step['cleanup'], bench.cleanups() > before)
}

function checkDeleted(name: string, words: string, bench: ProxierBench, checks: Checks): void {
  const gone = bench.deletedFlows.map((one) => `${one.destination}:${one.destinationPort}`).sort()
  const wanted = words.startsWith('nothing')
    ? []
    : flows
        .filter((one) => one.destinationPort !== 30_055)
        .map((one) => `${one.destination}:${one.destinationPort}`)
        .sort()
  checks.equal(`${name} deleted`, wanted, gone)
}

async function syncedBench(family: 4 | 6): Promise<ProxierBench> {
  const bench = createProxierBench({ flows, family })
  for (const pair of [tcp, udp, mixed]) {
    bench.put(pair.service)
    bench.put(pair.slice)
  }
  await bench.proxier.sync()
  return bench
}
