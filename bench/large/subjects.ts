// Who is started on the large cluster, when it is ready, and which address it leads to.

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readMetrics } from '../../test/conformance/proxy/read-metrics.ts'
import { originalBinary } from '../../test/harness/api-server.ts'
import { bundleDaemon } from '../../test/harness/daemon.ts'
import type { Netns } from '../../test/harness/netns.ts'
import type { ProgramOptions } from '../../test/harness/process.ts'
import { nodeName, probe } from './objects.ts'

/** Where a subject runs. */
export interface LargeScene {
  readonly netns: Netns
  /** For its files. */
  readonly dir: string
  readonly kubeconfig: string
  /** The last Service and Ingress of the cluster. */
  readonly last: { readonly service: string; readonly host: string }
}

/** One program. */
export interface LargeSubject {
  readonly name: string
  command(scene: LargeScene): ProgramOptions | Promise<ProgramOptions>
  /** Whether everything of the cluster is served. */
  isComplete(scene: LargeScene): Promise<boolean>
  /** The address of the probe's endpoint that it leads to now. */
  ask(scene: LargeScene): Promise<string>
}

// With the flag that the images set.
const ours = async (daemon: 'coredns-ts' | 'ingress-ts' | 'kube-proxy-ts', args: readonly string[]) => ({
  program: process.execPath,
  args: ['--max-semi-space-size=4', await bundleDaemon(daemon), ...args],
})

const dns: Pick<LargeSubject, 'isComplete' | 'ask'> = {
  isComplete: async (scene) => (await dig(scene, scene.last.service)) !== '',
  ask: (scene) => dig(scene, probe.name),
}

const proxy: Pick<LargeSubject, 'isComplete' | 'ask'> = {
  isComplete: async (scene) => {
    const text = await curl(scene, ['http://127.0.0.1:10249/metrics'])
    return (readMetrics(text, 'kubeproxy_sync_proxy_rules_duration_seconds_count').get('ip_family="IPv4"') ?? 0) > 0
  },
  ask: (scene) => curl(scene, [`http://${probe.clusterIP}/`]),
}

/** By the word on the command line. */
export const subjects: { readonly [word: string]: LargeSubject } = {
  'coredns-ts': {
    ...dns,
    name: 'coredns-ts',
    command: (scene) => ours('coredns-ts', ['-conf', writeCorefile(scene), '-quiet']),
  },
  coredns: {
    ...dns,
    name: 'CoreDNS',
    command: (scene) => ({ program: originalBinary('coredns'), args: ['-conf', writeCorefile(scene), '-quiet'] }),
  },
  'kube-proxy-ts': ourProxy('kube-proxy-ts, iptables-nft', 'iptables', 'nft'),
  'kube-proxy-ts-legacy': ourProxy('kube-proxy-ts, iptables-legacy', 'iptables', 'legacy'),
  'kube-proxy-legacy': theirProxy('kube-proxy, iptables-legacy', 'iptables', 'legacy'),
  'kube-proxy-ts-nftables': ourProxy('kube-proxy-ts, nftables', 'nftables', 'nft'),
  'kube-proxy-nftables': theirProxy('kube-proxy, nftables', 'nftables', 'nft'),
  'ingress-ts': {
    name: 'ingress-ts with nginx',
    command: async ({ dir, kubeconfig }) => ({
      ...(await ours('ingress-ts', [
        ...[`--kubeconfig=${kubeconfig}`, `--run-directory=${join(dir, 'run')}`, '--watch-ingress-without-class'],
        '--post-shutdown-grace-period=0',
      ])),
      env: { POD_NAME: 'controller-0', POD_NAMESPACE: 'bench' },
    }),
    // Its Service has endpoints that nothing reaches: any answer but "no such host" says that the host is known.
    isComplete: async (scene) => {
      const host = ['-H', `Host: ${scene.last.host}`]
      const status = await curl(scene, ['-o', '/dev/null', '-w', '%{http_code}', ...host, 'http://127.0.0.1/'])
      return /^50[234]$/.test(status)
    },
    ask: (scene) => curl(scene, ['-H', `Host: ${probe.host}`, 'http://127.0.0.1/']),
  },
}

function ourProxy(name: string, mode: string, variant: string): LargeSubject {
  const command: LargeSubject['command'] = async (scene) => {
    const { args, env } = proxyOptions(scene, mode, variant)
    return { ...(await ours('kube-proxy-ts', args)), env }
  }
  return { ...proxy, name, command }
}

function theirProxy(name: string, mode: string, variant: string): LargeSubject {
  const command: LargeSubject['command'] = (scene) => ({
    program: originalBinary('kube-proxy'),
    ...proxyOptions(scene, mode, variant),
  })
  return { ...proxy, name, command }
}

// In a folder at the head of PATH `iptables` and its like are those of the variant.
function proxyOptions({ dir, kubeconfig }: LargeScene, mode: string, variant: string) {
  const file = join(dir, 'proxy.json')
  const periods = { syncPeriod: '600s', minSyncPeriod: '1ms' }
  const configuration = {
    ...{ apiVersion: 'kubeproxy.config.k8s.io/v1alpha1', kind: 'KubeProxyConfiguration', mode },
    hostnameOverride: nodeName,
    conntrack: { maxPerCore: 0 },
    clientConnection: { kubeconfig, contentType: 'application/json' },
    ...{ iptables: periods, nftables: periods },
  }
  writeFileSync(file, JSON.stringify(configuration))
  const bin = join(dir, 'bin')
  mkdirSync(bin)
  for (const name of ['iptables', 'ip6tables'])
    for (const action of ['', '-save', '-restore'])
      symlinkSync(`/usr/sbin/${name}-${variant}${action}`, join(bin, `${name}${action}`))
  return { args: ['--config', file], env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` } }
}

function writeCorefile({ dir, kubeconfig }: LargeScene): string {
  const file = join(dir, 'Corefile')
  const zones = 'cluster.local in-addr.arpa ip6.arpa'
  writeFileSync(file, `.:53 {\n  kubernetes ${zones} {\n    kubeconfig ${kubeconfig}\n  }\n}\n`)
  return file
}

async function dig({ netns }: LargeScene, name: string): Promise<string> {
  const words = ['@127.0.0.1', '+short', '+tries=1', '+time=1', '+norecurse', name]
  const { stdout, exitCode } = await netns.run('dig', words)
  return exitCode === 0 ? stdout.trim() : ''
}

async function curl({ netns }: LargeScene, words: readonly string[]): Promise<string> {
  return (await netns.run('curl', ['-s', '-m', '5', ...words])).stdout.trim()
}
