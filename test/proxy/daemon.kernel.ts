// The running daemon on a kernel: what must survive a flush, a restart and a change of mode. Worse is in
// `trouble.kernel.ts`.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Manifest } from '@kubewire/iptables-gen/cases'
import type { KubeObject } from '@kubewire/kube-model'
import { endpointSlice, node, service } from '@kubewire/kube-model/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type CaseCluster, createMiniCluster } from '../conformance/proxy/cluster.ts'
import { metricSum } from '../conformance/proxy/read-metrics.ts'
import { startDaemon } from '../harness/daemon.ts'
import { createNetns, type Netns, whyNoNetns } from '../harness/netns.ts'
import type { RunningProgram } from '../harness/process.ts'

const reason = whyNoNetns()
if (reason !== undefined) console.log(`daemon.kernel.ts skipped: ${reason}`)

const web = service('shop/web', { clusterIP: '10.96.4.4' })
const objects = [node('edge-1', ['192.0.2.11']), web, endpointSlice('shop/web', ['10.244.1.5', '10.244.1.6'])]
const asManifests = (list: readonly KubeObject[]): readonly Manifest[] => list as unknown as readonly Manifest[]

describe.skipIf(reason !== undefined)('kube-proxy-ts', () => {
  let netns: Netns
  let cluster: CaseCluster
  let dir: string
  let daemon: RunningProgram | undefined

  beforeAll(async () => {
    netns = await createNetns('kproxy')
    await netns.addAddresses(['192.0.2.11'])
    cluster = await createMiniCluster(netns)
    dir = mkdtempSync(join(tmpdir(), 'kwtest-kproxy-'))
    await cluster.put(asManifests(objects))
  })
  afterEach(async () => {
    await daemon?.stop('SIGKILL')
    daemon = undefined
  })
  afterAll(async () => {
    await cluster?.close()
    await netns?.close()
    if (dir !== undefined) rmSync(dir, { recursive: true, force: true })
  })

  const metrics = async (): Promise<string> =>
    (await netns.run('curl', ['-s', 'http://127.0.0.1:10249/metrics'])).stdout
  const save = (): Promise<string> => netns.mustRun('iptables-save', [])
  const start = async (mode = 'iptables'): Promise<RunningProgram> => {
    const file = join(dir, 'config.json')
    const periods = { syncPeriod: '2s', minSyncPeriod: '20ms' }
    writeFileSync(
      file,
      JSON.stringify({
        apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
        kind: 'KubeProxyConfiguration',
        mode,
        clusterCIDR: '10.244.0.0/16',
        hostnameOverride: 'edge-1',
        conntrack: { maxPerCore: 0 },
        clientConnection: { kubeconfig: cluster.kubeconfig },
        iptables: periods,
        nftables: periods,
      }),
    )
    daemon = await startDaemon({
      daemon: 'kube-proxy-ts',
      netns,
      args: ['--config', file],
      isReady: async () => metricSum(await metrics(), 'kubeproxy_sync_proxy_rules_last_timestamp_seconds') > 0,
    })
    return daemon
  }

  it('repairs its rules after somebody flushed every table', async () => {
    const running = await start()
    const before = await save()
    expect(before).toContain('shop/web:http cluster IP')
    await running.waitUntil(async () => (await save()).includes(':KUBE-PROXY-CANARY'))
    for (const table of ['mangle', 'nat', 'filter']) {
      await netns.mustRun('iptables', ['-t', table, '-F'])
      await netns.mustRun('iptables', ['-t', table, '-X'])
    }
    await running.waitUntil(async () => (await save()).includes('shop/web:http cluster IP'), 10_000)
    const rules = (text: string): readonly string[] =>
      text
        .split('\n')
        .filter((line) => line.startsWith('-A '))
        .sort()
    expect(rules(await save())).toEqual(rules(before))
  })

  it('writes nothing when it is started on a kernel that is right', async () => {
    await (await start()).stop('SIGKILL')
    await start()
    const text = await metrics()
    expect(metricSum(text, 'kubeproxy_sync_proxy_rules_iptables_last')).toBe(0)
    expect(metricSum(text, 'kubeproxy_sync_proxy_rules_iptables_total')).toBeGreaterThan(0)
  })

  it('shows a changed endpoint in the kernel within a second', async () => {
    const running = await start()
    await cluster.put(asManifests([endpointSlice('shop/web', ['10.244.1.9'])]))
    const startMs = Date.now()
    await running.waitUntil(async () => (await save()).includes('10.244.1.9:8080'), 5000)
    expect(Date.now() - startMs).toBeLessThan(2000)
    expect(await save()).not.toContain('10.244.1.5:8080')
    await cluster.put(asManifests(objects))
  })

  it('gives changes to one program that stays, and to another when that is gone', async () => {
    const running = await start()
    const change = async (address: string): Promise<readonly number[]> => {
      await cluster.put(asManifests([endpointSlice('shop/web', [address])]))
      await running.waitUntil(async () => (await save()).includes(`${address}:8080`), 10_000)
      return restoresOf(running.pid)
    }
    const first = await change('10.244.1.9')
    expect(first).toHaveLength(1)
    // What others do meanwhile is seen, and left alone.
    await netns.mustRun('iptables', ['-t', 'nat', '-N', 'FOREIGN'])
    await netns.mustRun('iptables', ['-t', 'nat', '-A', 'OUTPUT', '-j', 'FOREIGN'])
    expect(await change('10.244.1.10')).toEqual(first)
    process.kill(first[0] as number, 'SIGKILL')
    const second = await change('10.244.1.11')
    expect(second).toHaveLength(1)
    expect(second).not.toEqual(first)
    // A text that is refused ends the program; everything is read and made anew.
    await netns.mustRun('iptables', ['-t', 'nat', '-E', 'KUBE-MARK-MASQ', 'AWAY'])
    await change('10.244.1.12')
    const saved = await save()
    expect(saved).toContain('-j KUBE-MARK-MASQ')
    expect(saved).toContain('-A OUTPUT -j FOREIGN')
    expect(saved).not.toContain('10.244.1.11')
    await cluster.put(asManifests(objects))
  })

  it('ends with status 1 when its node is deleted', async () => {
    const running = await start()
    await cluster.remove(asManifests([objects[0] as KubeObject]))
    expect((await running.ended).exitCode).toBe(1)
    await cluster.put(asManifests(objects))
  })

  it('switches to nftables mode, leaves no rule of the other behind, and back', async () => {
    await (await start()).stop('SIGTERM')
    await (await start('nftables')).stop('SIGTERM')
    expect(await save()).not.toContain('shop/web')
    expect(await netns.mustRun('nft', ['list', 'table', 'ip', 'kube-proxy'])).toContain(
      '10.96.4.4 . tcp . 80 : goto service-',
    )
    await start()
    expect((await netns.run('nft', ['list', 'table', 'ip', 'kube-proxy'])).exitCode).not.toBe(0)
    expect(await save()).toContain('shop/web:http cluster IP')
  })

  it('cleans up with --cleanup: chains and jumps go, rules of others stay', async () => {
    await (await start()).stop('SIGTERM')
    await netns.mustRun('iptables', ['-A', 'INPUT', '-s', '203.0.113.66', '-j', 'DROP'])
    const cleaning = await startDaemon({ daemon: 'kube-proxy-ts', netns, args: ['--cleanup'] })
    expect((await cleaning.ended).exitCode).toBe(0)
    const left = await save()
    expect(left).not.toContain('KUBE-SERVICES')
    expect(left).toContain('-A INPUT -s 203.0.113.66/32 -j DROP')
  })
})

/** Processes of `iptables-restore` that a daemon has started and that are there. */
function restoresOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
  return children.map(Number).filter((child) => child > 0 && commandOf(child).startsWith('iptables-restore'))
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    // Others come and go.
    return ''
  }
}
