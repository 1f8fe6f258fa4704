// Runs cases on the kernel: kube-proxy-ts, or kube-proxy itself, in a namespace against an API server; states by
// iptables-save, flows by real connections, tracked flows by the conntrack tool.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseNftListing, parseSave, simulatePacket } from '@kubewire/iptables-gen'
import {
  type CaseConfig,
  type CaseDriver,
  type CaseFlow,
  type CaseStep,
  type CaseTracked,
  configurationOf,
  type FlowResult,
  localAddressesOf,
  type Manifest,
  machineOf,
  type NftTables,
  nodeOf,
  readSaved,
} from '@kubewire/iptables-gen/cases'
import { type Ip, joinHostPort, parseIp } from '@kubewire/kube-model'
import { originalBinary } from '../../harness/api-server.ts'
import { startDaemon } from '../../harness/daemon.ts'
import type { Dialed } from '../../harness/dialer.ts'
import type { EchoAnswer } from '../../harness/echo-server.ts'
import type { RunningProgram } from '../../harness/process.ts'
import type { RunOptions } from '../area.ts'
import { type Capture, captureRestores, readRestore } from './capture.ts'
import { type CaseCluster, createMiniCluster, createRealCluster } from './cluster.ts'
import { createLab, type Lab } from './lab.ts'
import { metricSum, readMetrics } from './read-metrics.ts'

// A long run beside busy neighbours may get little of the machine for a while.
const startLimitMs = 90_000

const metricsUrl = 'http://127.0.0.1:10249/metrics'

/** A driver on the kernel. Needs root. */
export async function createRealDriver(options: RunOptions): Promise<CaseDriver> {
  const lab = await createLab()
  const cluster = options.api === 'real' ? await createRealCluster(lab.node) : await createMiniCluster(lab.node)
  const dir = mkdtempSync(join(tmpdir(), 'kwtest-proxy-'))
  return new RealDriver({ options, lab, cluster, dir })
}

interface Parts {
  readonly options: RunOptions
  readonly lab: Lab
  readonly cluster: CaseCluster
  readonly dir: string
}

class RealDriver implements CaseDriver {
  readonly name: CaseDriver['name']
  readonly #parts: Parts
  readonly #path: string
  #config: CaseConfig = {}
  #objects = new Map<string, Manifest>()
  #daemon: RunningProgram | undefined
  #marker = 0
  #seeded: readonly CaseTracked[] = []
  #capture: Capture | undefined
  #modes = new Map<4 | 6, string>()
  sync?: NonNullable<CaseDriver['sync']>

  constructor(parts: Parts) {
    this.#parts = parts
    this.name = parts.options.target
    const variant = parts.options.settings['backend'] ?? 'nft'
    this.#path = iptablesPath(parts.dir, variant)
    if (parts.options.target === 'original') {
      const capture = captureRestores(parts.dir, join(parts.dir, 'bin'), variant)
      this.#capture = capture
      this.sync = async (family) => ({
        ...readRestore(withoutNfacct(capture.last(family), this.#config.env?.nfacct === true)),
        mode: this.#modes.get(family) ?? 'none',
        restoreText: capture.last(family),
      })
    }
  }

  async begin(config: CaseConfig, objects: readonly Manifest[]): Promise<void> {
    const { lab, cluster } = this.#parts
    this.#config = config
    await this.#flush()
    await lab.node.setSysctl('net.netfilter.nf_conntrack_tcp_be_liberal', config.env?.tcpBeLiberal === true ? 1 : 0)
    setNfacct(this.#parts.dir, config.env?.nfacct === true)
    for (const ip of localAddressesOf(config)) await lab.addNodeAddress(ip.text)
    const all = [nodeOf(config, objects), ...objects.filter((object) => !isOwnNode(object, config))]
    this.#objects = new Map(all.map((object) => [keyOf(object), object]))
    await cluster.put([...this.#objects.values(), ...this.#markers()])
    await this.#start()
  }

  async #start(): Promise<void> {
    const { dir, cluster, options, lab } = this.#parts
    const configuration = configurationOf(this.#config)
    const file = join(dir, 'config.yaml')
    const section = this.#config.mode === 'nftables' ? 'nftables' : 'iptables'
    const given = (configuration[section] ?? {}) as Readonly<Record<string, unknown>>
    const fast = options.target === 'ours' || this.#isFast ? { minSyncPeriod: '10ms' } : {}
    writeFileSync(
      file,
      JSON.stringify({
        ...configuration,
        [section]: { ...given, ...fast },
        // The number of tracked flows is not a setting of a namespace.
        conntrack: { maxPerCore: 0 },
        clientConnection: { kubeconfig: cluster.kubeconfig, contentType: 'application/json' },
        hostnameOverride: this.#config.nodeName ?? 'node-a',
      }),
    )
    const args = ['--config', file]
    const isReady = async (): Promise<boolean> =>
      (await this.#metric('kubeproxy_sync_proxy_rules_last_timestamp_seconds')) > 0
    const env = { PATH: this.#path }
    if (options.target === 'ours') {
      const program = { daemon: 'kube-proxy-ts', netns: lab.node, args, env } as const
      this.#daemon = await startDaemon({ ...program, isReady, readyLimitMs: startLimitMs })
    } else {
      this.#daemon = lab.node.start({ program: originalBinary('kube-proxy'), args, env })
      await this.#daemon.waitUntil(isReady, startLimitMs)
    }
    await this.#settle()
    if (options.target === 'original' && this.#config.mode === 'nftables') await this.#awaitServiceCidrs()
  }

  // The original writes the rule about unallocated addresses on full syncs alone, and its first one may come before it
  // knows the ranges. Another zone and back makes two full syncs.
  async #awaitServiceCidrs(): Promise<void> {
    const { cluster } = this.#parts
    const isRanged = [...this.#objects.values()].some((object) => object.kind === 'ServiceCIDR')
    const node = [...this.#objects.values()].find((object) => isOwnNode(object, this.#config))
    if (!isRanged || node === undefined || (await this.#knowsServiceCidrs())) return
    const labels = { 'topology.kubernetes.io/zone': 'kwtest-elsewhere' }
    for (const object of [{ ...node, metadata: { ...node.metadata, labels } }, node]) {
      await cluster.put([object])
      await delay(1500)
      await this.#syncByMarkers()
    }
  }

  async #knowsServiceCidrs(): Promise<boolean> {
    const { stdout } = await this.#parts.lab.node.run('nft', ['list', 'chain', 'ip', 'kube-proxy', 'cluster-ips-check'])
    return stdout.includes('Drop traffic to unallocated')
  }

  async restart(): Promise<void> {
    await this.#daemon?.stop('SIGKILL')
    await this.#start()
  }

  // How the single syncs of the original look is of no interest then, and nothing waits for its pauses.
  get #isFast(): boolean {
    return this.#parts.options.settings['pace'] === 'fast'
  }

  async step(step: CaseStep): Promise<void> {
    const isOriginal = this.#parts.options.target === 'original' && !this.#isFast
    // Right after a sync there is a pause: what comes then is taken together in the next one.
    if (isOriginal) await this.#syncByMarkers()
    const syncs = isOriginal ? await this.#syncCounts() : undefined
    // The change asks for the sync that cleans up, so the period must be over before it.
    if (isOriginal && step.note?.startsWith('syncPeriod has passed')) await delay(31_000)
    this.#capture?.clear()
    await this.#change(step)
    if (syncs === undefined) {
      await this.#syncByMarkers()
      if (this.#parts.options.target === 'original') await this.#removeUnused()
      return
    }
    await delay(1500)
    await this.#settle()
    // A step that asks for no sync is synced all the same, by objects without effect.
    const isAsked = step.sync?.mode !== undefined && step.sync.mode !== 'none'
    if (isAsked && [...(await this.#syncCounts())].join() === [...syncs].join()) await this.#syncByMarkers()
    const now = await this.#syncCounts()
    for (const family of [4, 6] as const) {
      const count = (kind: 'full' | 'partial'): number =>
        (now.get(`${family} ${kind}`) ?? 0) - (syncs.get(`${family} ${kind}`) ?? 0)
      this.#modes.set(family, count('full') > 0 ? 'full' : count('partial') > 0 ? 'partial' : 'none')
    }
    await this.#removeUnused()
  }

  // In nftables mode the original empties chains without use in one sync and deletes them in a later one, at least a
  // second after.
  async #removeUnused(): Promise<void> {
    if (this.#config.mode !== 'nftables') return
    await delay(1500)
    await this.#syncByMarkers()
  }

  /** Waits until markers have arrived, and what came before them with them, and the sync they ask for is over. */
  async #syncByMarkers(): Promise<void> {
    const before = await this.#counters()
    await this.#parts.cluster.put(this.#markers())
    await this.#waitFor(async () => {
      const now = await this.#counters()
      return now.services > before.services && now.slices > before.slices
    })
    await this.#settle()
  }

  async #syncCounts(): Promise<ReadonlyMap<string, number>> {
    const text = await this.#metrics()
    const counts = new Map<string, number>()
    for (const kind of ['full', 'partial'])
      for (const [labels, value] of readMetrics(text, `kubeproxy_sync_${kind}_proxy_rules_duration_seconds_count`))
        counts.set(`${labels.includes('IPv6') ? 6 : 4} ${kind}`, value)
    return counts
  }

  async #change(step: CaseStep): Promise<void> {
    const { cluster } = this.#parts
    const removed = (step.delete ?? []).map(({ kind, namespace, name }) => ({
      kind,
      metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    }))
    await cluster.remove(removed)
    for (const object of removed) this.#objects.delete(keyOf(object))
    await cluster.put(step.apply ?? [])
    for (const object of step.apply ?? []) this.#objects.set(keyOf(object), object)
    if (step.forceFullSync === true) await this.#provokeFullSync()
    // A step without changes still syncs.
    else if (removed.length + (step.apply ?? []).length === 0) await cluster.put(this.#markers())
    if ((step.apply ?? []).some((object) => object.kind === 'Node')) await delay(400)
  }

  // Objects without effect on rules, changed each time: when their events have arrived, so have those before them.
  #markers(): readonly Manifest[] {
    this.#marker += 1
    const annotations = { marker: String(this.#marker) }
    return [
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'kwtest-marker', namespace: 'default', annotations },
        spec: { type: 'ExternalName', externalName: 'marker.example.org' },
      },
      ...(['IPv4', 'IPv6'] as const).map((addressType) => ({
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: {
          name: `kwtest-marker-${addressType.toLowerCase()}`,
          namespace: 'default',
          annotations,
          labels: { 'kubernetes.io/service-name': 'kwtest-none' },
        },
        addressType,
        ports: [],
        endpoints: [],
      })),
    ] as unknown as readonly Manifest[]
  }

  async #provokeFullSync(): Promise<void> {
    const { lab } = this.#parts
    for (const program of ['iptables', 'ip6tables']) {
      for (const table of ['mangle', 'nat', 'filter']) {
        const result = await lab.node.run(program, ['-w', '5', '-t', table, '-X', 'KUBE-PROXY-CANARY'], {
          env: { PATH: this.#path },
        })
        void result
      }
    }
    const made = async (): Promise<boolean> => (await this.#save(4)).includes(':KUBE-PROXY-CANARY')
    await this.#waitFor(made, 45_000)
  }

  async #counters(): Promise<{ readonly services: number; readonly slices: number }> {
    const text = await this.#metrics()
    return {
      services: metricSum(text, 'kubeproxy_sync_proxy_rules_service_changes_total'),
      slices: metricSum(text, 'kubeproxy_sync_proxy_rules_endpoint_changes_total'),
    }
  }

  // Nothing pending, and the last sync is younger than the last request, twice in a row.
  async #settle(): Promise<void> {
    let last = ''
    let calm = 0
    await this.#waitFor(async () => {
      const text = await this.#metrics()
      const queued = readMetrics(text, 'kubeproxy_sync_proxy_rules_last_queued_timestamp_seconds')
      const synced = readMetrics(text, 'kubeproxy_sync_proxy_rules_last_timestamp_seconds')
      const isDone = [...queued].every(([labels, at]) => (synced.get(labels) ?? 0) >= at)
      const pending =
        metricSum(text, 'kubeproxy_sync_proxy_rules_service_changes_pending') +
        metricSum(text, 'kubeproxy_sync_proxy_rules_endpoint_changes_pending')
      const state = [...synced].join() + String(metricSum(text, 'kubeproxy_sync_proxy_rules_service_changes_total'))
      calm = isDone && pending === 0 && state === last ? calm + 1 : 0
      last = state
      return calm >= 2
    }, 45_000)
  }

  async #waitFor(isDone: () => Promise<boolean>, limitMs = 30_000): Promise<void> {
    if (this.#daemon === undefined) throw new Error('the daemon is not running')
    await this.#daemon.waitUntil(isDone, limitMs)
  }

  async #metrics(): Promise<string> {
    const { stdout } = await this.#parts.lab.node.run('curl', ['-s', '--max-time', '5', metricsUrl])
    return stdout
  }

  async #metric(name: string): Promise<number> {
    return metricSum(await this.#metrics(), name)
  }

  async #save(family: 4 | 6): Promise<string> {
    return this.#parts.lab.node.mustRun(family === 4 ? 'iptables-save' : 'ip6tables-save', [], {
      env: { PATH: this.#path },
    })
  }

  async saved(family: 4 | 6) {
    return readSaved(withoutNfacct(await this.#save(family), this.#config.env?.nfacct === true))
  }

  async tables(family: 4 | 6): Promise<NftTables[string]> {
    const ip = family === 4 ? 'ip' : 'ip6'
    const { stdout } = await this.#parts.lab.node.run('nft', ['-s', '-y', 'list', 'table', ip, 'kube-proxy'])
    return parseNftListing(stdout) as unknown as NftTables[string]
  }

  async flow(flow: CaseFlow): Promise<FlowResult> {
    const family = flow.to.ip.includes(':') ? 6 : 4
    const saved = await this.#save(family)
    const simulated = simulate(saved, family, flow, this.#config)
    if (flow.to.protocol === 'SCTP') return simulated
    return this.#dialFlow(flow, simulated.trace)
  }

  async #dialFlow(flow: CaseFlow, trace: string): Promise<FlowResult> {
    const { lab } = this.#parts
    const protocol = flow.to.protocol === 'UDP' ? 'udp' : 'tcp'
    const side = sideOf(flow)
    const isOwn = localAddressesOf(this.#config).some((ip) => ip.text === flow.from.ip)
    if (side !== 'node') await lab.addClient(side, flow.from.ip)
    // A load balancer that hands the node its own address back.
    else if (!isOwn) await lab.addNodeAddress(flow.from.ip)
    await this.#listenFor(flow, protocol)
    const wanted = flow.expect.dnat?.length ?? 0
    const count = wanted === 0 ? 1 : wanted === 1 ? 4 : wanted * 14
    const targets = new Map<string, boolean>()
    let verdict: FlowResult['verdict'] = 'accept'
    await lab.node.run('conntrack', ['-F'])
    for (let i = 0; i < count; i++) {
      await this.#forgetAffinity()
      const dialed = await lab.dialers[side].dial({
        protocol,
        address: flow.to.ip,
        port: flow.to.port,
        from: flow.from.ip,
        // Past the first repetition of a SYN: a reject that comes while connect() runs is only seen then.
        timeoutMs: wanted === 0 ? 1500 : 2500,
        // A request, so that a health check node port at this place answers too.
        send: 'GET / HTTP/1.0\r\n\r',
      })
      const seen = readDialed(dialed, flow)
      if (verdict === 'accept') verdict = seen.verdict
      if (seen.target !== undefined) targets.set(seen.target, seen.isMasqueraded)
    }
    if (side === 'node' && !isOwn) await lab.removeNodeAddress(flow.from.ip)
    return { verdict, targets, trace }
  }

  #affinity = false
  // Each connection of a client must be its first.
  async #forgetAffinity(): Promise<void> {
    this.#affinity ||= [...this.#objects.values()].some((object) => JSON.stringify(object).includes('"ClientIP"'))
    if (!this.#affinity) return
    const script =
      this.#config.mode === 'nftables'
        ? `nft list sets | awk '$1 == "table" { f = $2 } $1 == "set" && $2 ~ /^affinity-/ { print "flush set", f, "kube-proxy", $2 }' | nft -f -`
        : 'for f in /proc/net/xt_recent/KUBE-SEP-*; do [ -e "$f" ] && echo / > "$f"; done'
    await this.#parts.lab.node.run('sh', ['-c', script])
  }

  async #listenFor(flow: CaseFlow, protocol: 'tcp' | 'udp'): Promise<void> {
    const { lab } = this.#parts
    const isLocal = localAddressesOf(this.#config).some((ip) => ip.text === flow.to.ip)
    if (isLocal) await lab.listen('node', [{ name: 'node', protocol, address: flow.to.ip, port: flow.to.port }])
    for (const place of [joinHostPort(flow.to.ip, flow.to.port), ...(flow.expect.dnat ?? [])]) {
      const address = place.slice(0, place.lastIndexOf(':')).replace(/^\[|\]$/g, '')
      const port = Number(place.slice(place.lastIndexOf(':') + 1))
      // Endpoints live apart from clients, except for the one that calls itself.
      if (address !== flow.from.ip) await lab.removeClient(address)
      const where = lab.clientSide(address) ?? 'backend'
      // TCP listens for all addresses; UDP must answer from the address that was asked, so it listens for each.
      await lab.listen(where, [{ name: 'far', protocol, address: protocol === 'tcp' ? '::' : address, port }])
    }
  }

  async rulesTotal(family: 4 | 6) {
    const values = readMetrics(await this.#metrics(), 'kubeproxy_sync_proxy_rules_iptables_total')
    const ip = family === 4 ? 'IPv4' : 'IPv6'
    const read = (table: string): number =>
      values.get(`ip_family="${ip}",table="${table}"`) ?? values.get(`table="${table}",ip_family="${ip}"`) ?? Number.NaN
    // Where the original counts by name although the case says not to, its extra rules are taken out.
    const isExtra = this.#parts.options.target === 'original' && this.#config.env?.nfacct !== true
    const extra = isExtra ? ((await this.#save(family)).match(/localhost_nps_accepted_pkts/g)?.length ?? 0) : 0
    return { filter: read('filter'), nat: read('nat') - extra }
  }

  async noLocalEndpoints(family: 4 | 6) {
    const values = readMetrics(await this.#metrics(), 'kubeproxy_sync_proxy_rules_no_local_endpoints_total')
    const ip = family === 4 ? 'IPv4' : 'IPv6'
    const read = (policy: string): number =>
      [...values].find(([labels]) => labels.includes(`"${ip}"`) && labels.includes(`"${policy}"`))?.[1] ?? 0
    return { internal: read('internal'), external: read('external') }
  }

  async request({ port, path }: { readonly port: number; readonly path: string }) {
    const address = this.#config.nodeIPs?.find((ip) => !ip.includes(':')) ?? '127.0.0.1'
    const { stdout } = await this.#parts.lab.node.run('curl', [
      '-s',
      '-i',
      '--max-time',
      '5',
      `http://${address}:${port}${path}`,
    ])
    const [head = '', ...rest] = stdout.split('\r\n\r\n')
    const [line = '', ...headerLines] = head.split('\r\n')
    const headers = headerLines.map((one) => [
      one.slice(0, one.indexOf(':')).toLowerCase(),
      one.slice(one.indexOf(':') + 1).trim(),
    ])
    return {
      status: Number(line.split(' ')[1]),
      headers: Object.fromEntries(headers) as Record<string, string>,
      text: rest.join('\r\n\r\n'),
    }
  }

  async openPorts() {
    const { stdout } = await this.#parts.lab.node.run('ss', ['-Hltn4'])
    const ports = [...stdout.matchAll(/0\.0\.0\.0:([0-9]+)/g)].map((match) => Number(match[1]))
    return ports.filter((port) => port >= 30_000 && port < 32_768).sort((a, b) => a - b)
  }

  async seed(flows: readonly CaseTracked[]) {
    this.#seeded = flows
    for (const flow of flows) {
      const state =
        flow.protocol === 'tcp'
          ? ['--state', 'ESTABLISHED']
          : flow.protocol === 'sctp'
            ? ['--state', 'ESTABLISHED', '--orig-vtag', '1', '--reply-vtag', '2']
            : []
      await this.#parts.lab.node.mustRun('conntrack', [
        ...['-I', '-p', flow.protocol, '--orig-src', flow.source, '--orig-dst', flow.destination],
        ...['--sport', String(flow.sourcePort), '--dport', String(flow.destinationPort)],
        ...['--reply-src', flow.replySource, '--reply-dst', flow.source],
        ...['--reply-port-src', String(flow.replySourcePort), '--reply-port-dst', String(flow.sourcePort)],
        ...['--timeout', '600', ...state],
      ])
    }
  }

  async remaining() {
    // The clean-up of tracked flows ends a little after the sync.
    let last = ''
    for (let i = 0; i < 20; i++) {
      const { stdout } = await this.#parts.lab.node.run('conntrack', ['-L', '-o', 'extended'])
      const there = this.#seeded.filter((flow) => isTracked(stdout, flow)).map((flow) => flow.id)
      if (there.join() === last) return there
      last = there.join()
      await delay(250)
    }
    return last.split(',')
  }

  async end() {
    const { lab, cluster } = this.#parts
    await this.#daemon?.stop('SIGKILL')
    this.#daemon = undefined
    this.#affinity = false
    await cluster.remove([...this.#objects.values()])
    this.#objects = new Map()
    await lab.clearAddresses()
    await lab.node.run('conntrack', ['-F'])
  }

  async #flush(): Promise<void> {
    const text = ['filter', 'nat', 'mangle']
      .map((table) => `*${table}\n${builtIns[table]?.map((chain) => `:${chain} ACCEPT [0:0]\n`).join('')}COMMIT\n`)
      .join('')
    for (const ip of ['ip', 'ip6']) await this.#parts.lab.node.run('nft', ['delete', 'table', ip, 'kube-proxy'])
    for (const program of ['iptables-restore', 'ip6tables-restore'])
      await this.#parts.lab.node.mustRun(program, ['-w', '5'], { input: text, env: { PATH: this.#path } })
  }

  async close() {
    const { cluster, lab, dir } = this.#parts
    await this.#daemon?.stop('SIGKILL')
    await cluster.close()
    await lab.close()
    rmSync(dir, { recursive: true, force: true })
  }
}

const builtIns: Readonly<Record<string, readonly string[]>> = {
  filter: ['INPUT', 'FORWARD', 'OUTPUT'],
  nat: ['PREROUTING', 'INPUT', 'OUTPUT', 'POSTROUTING'],
  mangle: ['PREROUTING', 'INPUT', 'FORWARD', 'OUTPUT', 'POSTROUTING'],
}

// The chosen variant first in the path, under the names that programs call.
function iptablesPath(dir: string, backend: string): string {
  const bin = join(dir, 'bin')
  mkdirSync(bin)
  for (const name of ['iptables', 'ip6tables'])
    for (const suffix of ['', '-save', '-restore'])
      symlinkSync(`/usr/sbin/${name}-${backend}${suffix}`, join(bin, `${name}${suffix}`))
  return `${bin}:${process.env['PATH'] ?? ''}`
}

// Without the wish of the case the program that makes counters is a stub that fails.
function setNfacct(dir: string, isWanted: boolean): void {
  const stub = join(dir, 'bin', 'nfacct')
  rmSync(stub, { force: true })
  if (!isWanted) writeFileSync(stub, '#!/bin/sh\nexit 1\n', { mode: 0o755 })
}

// This kernel may count by name where a case says that it does not; what comes of it is taken out.
function withoutNfacct(text: string, isWanted: boolean): string {
  if (isWanted) return text
  return text
    .split('\n')
    .filter((line) => !line.includes('localhost_nps_accepted_pkts'))
    .map((line) => line.replace(/ -m nfacct --nfacct-name {1,2}ct_state_invalid_dropped_pkts/, ''))
    .join('\n')
}

function simulate(saved: string, family: 4 | 6, flow: CaseFlow, config: CaseConfig): FlowResult {
  const { value } = parseSave(saved, { family })
  const trace = simulatePacket(
    value,
    {
      entry: flow.from.kind === 'node' ? 'local' : 'arriving',
      protocol: flow.to.protocol.toLowerCase(),
      source: parseIp(flow.from.ip) as Ip,
      destination: parseIp(flow.to.ip) as Ip,
      sourcePort: 40_000,
      destinationPort: flow.to.port,
      inInterface: flow.from.iface ?? (flow.from.kind === 'pod' ? 'cni0' : 'eth0'),
    },
    machineOf(config),
  )
  const targets = new Map<string, boolean>()
  for (const { packet, verdict } of trace.outcomes)
    if (verdict === 'accept' && packet.isDnat)
      targets.set(joinHostPort(packet.destination.text, packet.destinationPort ?? 0), packet.isSnat)
  return {
    verdict: trace.outcomes[0]?.verdict ?? 'accept',
    targets,
    trace: `simulated: ${[...targets.keys()].join(' ')}`,
  }
}

interface Seen {
  readonly verdict: FlowResult['verdict']
  readonly target?: string
  readonly isMasqueraded: boolean
}

function isTracked(listing: string, flow: CaseTracked): boolean {
  const tuple = `src=${flow.source} dst=${flow.destination} sport=${flow.sourcePort} dport=${flow.destinationPort}`
  return listing.split('\n').some((line) => line.includes(` ${flow.protocol} `) && line.includes(tuple))
}

function sideOf({ from }: CaseFlow): 'node' | 'cni0' | 'eth0' {
  if (from.kind === 'node') return 'node'
  return (from.iface ?? (from.kind === 'pod' ? 'cni0' : 'eth0')) as 'cni0' | 'eth0'
}

function readDialed(dialed: Dialed, flow: CaseFlow): Seen {
  if (dialed.kind === 'refused') return { verdict: 'reject', isMasqueraded: false }
  if (dialed.kind === 'silent') return { verdict: 'drop', isMasqueraded: false }
  if (dialed.kind === 'failed') throw new Error(dialed.error)
  if (dialed.answer.startsWith('HTTP/')) return { verdict: 'accept', isMasqueraded: false }
  const answer = JSON.parse(dialed.answer) as EchoAnswer
  const source = answer.remote.slice(0, answer.remote.lastIndexOf(':')).replace(/^\[|\]$/g, '')
  const isUntouched = answer.name === 'node' || answer.local === joinHostPort(flow.to.ip, flow.to.port)
  if (isUntouched) return { verdict: 'accept', isMasqueraded: false }
  const isMasqueraded = source !== flow.from.ip
  return { verdict: 'accept', target: answer.local, isMasqueraded }
}

function isOwnNode(object: Manifest, config: CaseConfig): boolean {
  return object.kind === 'Node' && object.metadata.name === config.nodeName
}

function keyOf(object: Pick<Manifest, 'kind' | 'metadata'>): string {
  return `${object.kind} ${object.metadata.namespace ?? ''}/${object.metadata.name}`
}
