// kube-proxy-ts when the world is against it: rules changed by hand, a lock that is held, an API server that is away or
// was put back, a clock that jumps, programs that are missing or too old. Each leaves one clear line.

import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Manifest } from '@kubewire/iptables-gen/cases'
import type { KubeObject } from '@kubewire/kube-model'
import { endpointSlice, node, service } from '@kubewire/kube-model/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createMiniCluster, type MiniCluster } from '../conformance/proxy/cluster.ts'
import { metricSum, readMetrics } from '../conformance/proxy/read-metrics.ts'
import { startDaemon } from '../harness/daemon.ts'
import { createNetns, type Netns, whyNoNetns } from '../harness/netns.ts'
import type { RunningProgram } from '../harness/process.ts'

const reason = whyNoNetns()
if (reason !== undefined) console.log(`trouble.kernel.ts skipped: ${reason}`)

// Longer than one program waits for the lock; 30 was run too.
const lockSeconds = Number(process.env['KUBEWIRE_LOCK_SECONDS'] ?? 12)

const here = node('edge-1', ['192.0.2.11'])
const web = service('shop/web', { clusterIP: '10.96.4.4' })
const objects = [here, web, endpointSlice('shop/web', ['10.244.1.5', '10.244.1.6'])]
const asManifests = (...list: readonly KubeObject[]): readonly Manifest[] => list as unknown as readonly Manifest[]
const endpoints = (...addresses: readonly string[]) => asManifests(endpointSlice('shop/web', addresses))
const count = (text: string, words: string): number => text.split(words).length - 1

describe.skipIf(reason !== undefined)('kube-proxy-ts in trouble', () => {
  let netns: Netns
  let cluster: MiniCluster
  let dir: string
  let daemon: RunningProgram | undefined

  beforeAll(async () => {
    netns = await createNetns('trouble')
    await netns.addAddresses(['192.0.2.11'])
    cluster = await createMiniCluster(netns)
    dir = mkdtempSync(join(tmpdir(), 'kwtest-trouble-'))
    await cluster.put(asManifests(...objects))
  })
  afterEach(async () => {
    await daemon?.stop('SIGKILL')
    daemon = undefined
    await cluster.put(asManifests(...objects))
  })
  afterAll(async () => {
    await cluster?.close()
    await netns?.close()
    if (dir !== undefined) rmSync(dir, { recursive: true, force: true })
  })

  const metrics = async (): Promise<string> =>
    (await netns.run('curl', ['-s', 'http://127.0.0.1:10249/metrics'])).stdout
  const save = (variant = 'nft'): Promise<string> => netns.mustRun(`iptables-${variant}-save`, [])
  const launch = (env: Readonly<Record<string, string>> = {}, mode = 'iptables'): Promise<RunningProgram> => {
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
    return startDaemon({ daemon: 'kube-proxy-ts', netns, args: ['--config', file], env })
  }
  const start = async (env: Readonly<Record<string, string>> = {}, mode?: string): Promise<RunningProgram> => {
    daemon = await launch(env, mode)
    await daemon.waitUntil(
      async () => metricSum(await metrics(), 'kubeproxy_sync_proxy_rules_last_timestamp_seconds') > 0,
      20_000,
    )
    return daemon
  }
  // A folder with the programs of one variant under the names that daemons call.
  const programs = (variant: string, version?: string): string => {
    const bin = mkdtempSync(join(dir, 'bin-'))
    for (const name of ['iptables', 'ip6tables'])
      for (const suffix of ['', '-save', '-restore'])
        symlinkSync(`/usr/sbin/${name}-${variant}${suffix}`, join(bin, `${name}${suffix}`))
    if (version === undefined) return bin
    for (const name of ['iptables', 'ip6tables']) {
      rmSync(join(bin, name))
      writeFileSync(join(bin, name), `#!/bin/sh\necho "iptables v${version}"\n`, { mode: 0o755 })
    }
    return bin
  }

  describe('repairs within two periods what somebody changed by hand', () => {
    const chainOf = async (): Promise<string> => /-j (KUBE-SVC-\S+)/.exec(await save())?.[1] ?? ''
    it.each([
      ['a rule deleted from the chain of a Service', async (chain: string) => ['-t', 'nat', '-D', chain, '1']],
      ['a rule put into it', async (chain: string) => ['-t', 'nat', '-I', chain, '-s', '203.0.113.1', '-j', 'RETURN']],
      ['a jump deleted from a chain of the kernel', async () => ['-t', 'nat', '-D', 'PREROUTING', '1']],
      ['a chain that all Services share, emptied', async () => ['-t', 'nat', '-F', 'KUBE-MARK-MASQ']],
    ] as const)('%s', async (_what, wordsFor) => {
      const running = await start()
      const rules = async (): Promise<readonly string[]> =>
        (await save())
          .split('\n')
          .filter((line) => line.startsWith('-A '))
          .sort()
      const before = await rules()
      await netns.mustRun('iptables', [...(await wordsFor(await chainOf()))])
      expect(await rules()).not.toEqual(before)
      await running.waitUntil(async () => (await rules()).join('\n') === before.join('\n'))
      expect(running.output()).toMatch(/Somebody changed an installed rule.* found="nat /)
      const found = readMetrics(await metrics(), 'kubewire_proxy_foreign_changes_total')
      expect(found.get('found_by="audit",ip_family="IPv4"')).toBe(1)
    })
  })

  describe('in nftables mode repairs what somebody changed by hand', () => {
    const ours = 'ip kube-proxy'
    it.each([
      ['a chain emptied', (chain: string) => `flush chain ${ours} ${chain}`],
      ['an element taken out of a map', () => `delete element ${ours} service-ips { 10.96.4.4 . tcp . 80 }`],
      ['the table deleted', () => `delete table ${ours}`],
    ] as const)(
      '%s',
      async (_what, change) => {
        await netns.run('nft', ['delete', 'table', 'ip', 'kube-proxy'])
        const running = await start({}, 'nftables')
        const listing = async (): Promise<string> =>
          (await netns.run('nft', ['-s', 'list', 'table', 'ip', 'kube-proxy'])).stdout
        const before = await listing()
        await netns.mustRun('nft', change(/goto (service-\S+)/.exec(before)?.[1] ?? '').split(' '))
        expect(await listing()).not.toBe(before)
        await running.waitUntil(async () => (await listing()) === before, 12_000)
        expect(count(running.output(), 'Somebody changed an installed rule')).toBe(1)
        expect(
          readMetrics(await metrics(), 'kubewire_proxy_foreign_changes_total').get('found_by="audit",ip_family="IPv4"'),
        ).toBe(1)
      },
      30_000,
    )

    it('not what clients did: affinity outlives a restart, which writes nothing', async () => {
      await netns.run('nft', ['delete', 'table', 'ip', 'kube-proxy'])
      const sticky = service('shop/web', { clusterIP: '10.96.4.4', sessionAffinity: 'ClientIP' })
      await cluster.put(asManifests(sticky))
      await (await start({}, 'nftables')).stop('SIGKILL')
      const set =
        /set (affinity-\S+)/.exec(await netns.mustRun('nft', ['list', 'table', 'ip', 'kube-proxy']))?.[1] ?? ''
      await netns.mustRun('nft', ['add', 'element', 'ip', 'kube-proxy', set, '{', '192.0.2.7', '}'])
      const monitor = netns.start({ program: 'nft', args: ['monitor'] })
      await delay(300)
      const running = await start({}, 'nftables')
      await delay(2500)
      expect(
        monitor
          .output()
          .split('\n')
          .filter((line) => line !== '' && !line.startsWith('#')),
      ).toEqual([])
      await monitor.stop('SIGKILL')
      expect(await netns.mustRun('nft', ['list', 'set', 'ip', 'kube-proxy', set])).toContain('192.0.2.7')
      expect(count(running.output(), 'Somebody changed an installed rule')).toBe(0)
      await running.stop('SIGKILL')
      daemon = undefined
      await netns.run('nft', ['delete', 'table', 'ip', 'kube-proxy'])
    }, 30_000)
  })

  it(`waits through a lock that another process holds for ${lockSeconds} s, and tells of each failure`, async () => {
    const lock = join(dir, 'xtables.lock')
    const env = { PATH: `${programs('legacy')}:${process.env['PATH'] ?? ''}`, XTABLES_LOCKFILE: lock }
    const running = await start(env)
    const holder = netns.start({ program: 'flock', args: [lock, 'sleep', String(lockSeconds)] })
    await delay(300)
    await cluster.put(endpoints('10.244.1.77'))
    await running.waitUntil(() => running.output().includes('Failed to sync iptables rules'), 15_000)
    expect(await save('legacy')).not.toContain('10.244.1.77:8080')
    await running.waitUntil(async () => (await save('legacy')).includes('10.244.1.77:8080'), 50_000)
    await holder.stop('SIGKILL')
    const failures = metricSum(await metrics(), 'kubeproxy_sync_proxy_rules_iptables_restore_failures_total')
    expect(count(running.output(), 'Failed to sync iptables rules')).toBeGreaterThanOrEqual(failures)
    expect(failures).toBeGreaterThan(0)
    expect(running.output()).toMatch(/Failed to sync iptables rules.*xtables lock/)
  }, 90_000)

  it('keeps its rules while the API server is away, says so, and follows it when it is back', async () => {
    const running = await start()
    const before = await save()
    cluster.server.faults.inject({ kind: 'restart', downMs: 4000 })
    await running.waitUntil(() => running.output().includes('Watching the cluster'))
    expect(rulesOf(await save())).toEqual(rulesOf(before))
    await cluster.put(endpoints('10.244.1.88'))
    await running.waitUntil(async () => (await save()).includes('10.244.1.88:8080'), 45_000)
  }, 90_000)

  it('follows an API server that was put back to an older state', async () => {
    const { server } = cluster
    const backup = Number(server.resourceVersion())
    await cluster.put(endpoints('10.244.1.7'))
    const running = await start()
    expect(await save()).toContain('10.244.1.7:8080')
    server.faults.inject({ kind: 'rollback', by: Number(server.resourceVersion()) - backup })
    await running.waitUntil(async () => (await save()).includes('10.244.1.5:8080'), 45_000)
    expect(await save()).not.toContain('10.244.1.7:8080')
    expect(running.output()).toMatch(/went from .* back to/)
  }, 90_000)

  it.each([
    [
      'are missing',
      () => mkdtempSync(join(dir, 'empty-')),
      'iptables is not available on this host: iptables could not be started',
    ],
    [
      'are too old',
      () => programs('nft', '1.4.10'),
      'iptables is not available on this host: 1.4.10 is too old, 1.6.2 or newer is needed',
    ],
  ])('ends with one line when its programs %s', async (_what, makePath, line) => {
    const path = makePath()
    // `ip netns exec` and node itself are still found.
    for (const program of ['ip', 'node'])
      symlinkSync((await netns.mustRun('which', [program])).trim(), join(path, program))
    const running = await launch({ PATH: path })
    expect((await running.ended).exitCode).toBe(1)
    expect(count(running.output(), line)).toBe(1)
  })
})

function rulesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.startsWith('-A '))
}
