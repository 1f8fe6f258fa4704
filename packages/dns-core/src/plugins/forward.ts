// Sends questions to other servers: choice of the upstream, health, limits. Sockets are the shell's (`ports.exchange`).

import { foldName, isUnder, longestZone } from '../name.ts'
import { type Eventually, failed, next, type Outcome, replied } from '../outcome.ts'
import {
  type Context,
  definePlugin,
  type ExchangeOptions,
  type Plugin,
  type PluginDefinition,
  type Ports,
  type Upstream,
} from '../plugin.ts'
import type { Query } from '../query.ts'
import { rcode } from '../record-types.ts'
import { emptyReply, type Reply } from '../reply.ts'
import {
  configureForward,
  type ForwardConfig,
  forwardProperties,
  nameserversOf,
  parseUpstream,
  upstreamAt,
  upstreamHost,
} from './forward-config.ts'
import { createUpstreamHealth, type UpstreamHealth } from './upstream-health.ts'
import { pathAtRoot } from './zone-arguments.ts'

/** No query waits longer than this for all its attempts together. */
const overallMs = 5000

export const forward: PluginDefinition<readonly ForwardConfig[]> = definePlugin({
  name: 'forward',
  summary: 'Sends questions to other servers.',
  syntax: 'FROM TO...',
  args: { min: 2, max: Number.POSITIVE_INFINITY },
  properties: forwardProperties,
  configure: (input) => input.directives.map((directive) => configureForward(input, directive)),
  create(configs, ports) {
    const forwarders = configs.map((config) => createForwarder(config, ports))
    return {
      handle: (query, context) => forwardThrough(forwarders, 0, query, context),
      close() {
        for (const forwarder of forwarders) forwarder.close()
      },
      startError: forwarders.find(({ startError }) => startError !== undefined)?.startError,
      isTransparent: true,
    } satisfies Plugin
  },
})

interface Forwarder {
  readonly config: ForwardConfig
  readonly ports: Ports
  readonly upstreams: readonly UpstreamHealth[]
  concurrent: number
  turn: number
  /** Why the server must not start with it. */
  readonly startError: string | undefined
  close(): void
}

function createForwarder(config: ForwardConfig, ports: Ports): Forwarder {
  const resolved = config.to.map((to) => resolveTo(to, config, ports))
  const upstreams = resolved
    .flatMap((found) => ('error' in found ? [] : found.upstreams))
    .map((upstream) => createUpstreamHealth(upstream, config, ports, exchangeOptions(config, false)))
  const close = (): void => {
    for (const upstream of upstreams) upstream.close()
  }
  const startError = resolved.flatMap((found) => ('error' in found ? [found.error] : []))[0]
  return { config, ports, upstreams, concurrent: 0, turn: 0, startError, close }
}

/** Upstreams of one TO: an address, the name servers of a file in resolv.conf format, or addresses of a host name. */
function resolveTo(
  to: string,
  config: ForwardConfig,
  ports: Ports,
): { readonly upstreams: readonly Upstream[] } | { readonly error: string } {
  const scheme = /^([a-z0-9]+):\/\//.exec(to)?.[1]
  if (scheme === 'https' && /^https:\/\/[^/]*\//.test(to)) {
    const hint = 'the /dns-query path is used by default'
    return { error: `paths are not allowed in HTTPS upstream addresses (${hint}): ${to}` }
  }
  if (scheme === 'grpc' || scheme === 'quic' || scheme === 'https3') {
    return { error: `'${scheme}' is not supported as a destination protocol in forward: ${to}` }
  }
  const direct = parseUpstream(to)
  if (direct !== undefined) return { upstreams: [direct] }
  const text = ports.readFile(pathAtRoot(config.root, to))
  if (text !== undefined) return { upstreams: nameserversOf(text).flatMap((address) => parseUpstream(address) ?? []) }
  const host = upstreamHost(to)
  const addresses = host === undefined ? [] : ports.hostAddresses(host)
  if (host === undefined || addresses.length === 0) {
    return { error: `failed to resolve "${host ?? to}": lookup ${host ?? to}.: no such host` }
  }
  const serverName = config.tlsServerName ?? host
  return { upstreams: addresses.flatMap((address) => upstreamAt(to, host, address, serverName) ?? []) }
}

function forwardThrough(
  forwarders: readonly Forwarder[],
  index: number,
  query: Query,
  context: Context,
): Eventually<Outcome> {
  const forwarder = forwarders[index]
  if (forwarder === undefined) return next
  const { config, ports } = forwarder
  const name = foldName(query.name)
  const isExcepted = name !== config.from && longestZone(config.except, name) !== undefined
  if (!isUnder(config.from, name) || isExcepted) return forwardThrough(forwarders, index + 1, query, context)
  if (config.maxConcurrent > 0 && forwarder.concurrent >= config.maxConcurrent) {
    ports.metrics.add('coredns_forward_max_concurrent_rejects_total', [])
    return failed(rcode.REFUSED, `concurrent queries exceeded maximum ${config.maxConcurrent}`)
  }
  forwarder.concurrent++
  const handOver = (): Eventually<Outcome> | undefined =>
    index + 1 < forwarders.length ? forwardThrough(forwarders, index + 1, query, context) : undefined
  return ask(forwarder, query, handOver).finally(() => {
    forwarder.concurrent--
  })
}

async function ask(
  forwarder: Forwarder,
  query: Query,
  handOver: () => Eventually<Outcome> | undefined,
): Promise<Outcome> {
  const { config, ports } = forwarder
  const list = orderOf(forwarder)
  const deadline = ports.nowMs() + overallMs
  const maxAttempts = config.maxConnectAttempts ?? 2 * list.length
  let [attempts, failovers, downs] = [0, 0, 0]
  let lastError = 'no healthy proxies'
  for (let i = 0; ports.nowMs() < deadline && (maxAttempts === 0 || attempts < maxAttempts); i++) {
    if (list.length > 0 && i % list.length === 0) downs = 0
    let upstream = list[i % list.length]
    if (upstream === undefined) break
    if (upstream.isDown()) {
      if (++downs < list.length) continue
      ports.metrics.add('coredns_forward_healthcheck_broken_total', [])
      if (config.failsFast) break
      upstream = list[Math.floor(ports.random() * list.length)] ?? upstream
    }
    const result = await exchangeOnce(upstream, query, config, Math.max(1, deadline - ports.nowMs()))
    if (result.kind === 'error') {
      lastError = result.error
      if (config.maxFails > 0) upstream.startProbing()
      attempts++
      continue
    }
    const { reply, question } = result
    const isOther =
      question !== undefined && !(question.type === query.type && foldName(question.name) === foldName(query.name))
    if (isOther || question === undefined) return replied({ ...emptyReply, rcode: rcode.FORMERR })
    if (config.failoverRcodes.includes(reply.rcode) && ++failovers < list.length) continue
    const other = isHandedOver(config, reply) ? handOver() : undefined
    return other ?? replied(reply)
  }
  return { kind: 'fail', rcode: rcode.SERVFAIL, error: lastError, unreached: config.to }
}

async function exchangeOnce(
  upstream: UpstreamHealth,
  query: Query,
  config: ForwardConfig,
  leftMs: number,
): ReturnType<UpstreamHealth['exchange']> {
  const useTcp = config.forceTcp || (query.transport !== 'udp' && !config.preferUdp)
  const options = { ...exchangeOptions(config, useTcp), timeoutMs: Math.min(config.readTimeoutMs, leftMs) }
  let result = await upstream.exchange(query, options)
  // The peer closed an idle connection before the query was sent: that does not count as an attempt.
  for (let i = 0; i < 3 && result.kind === 'error' && result.wasCached; i++)
    result = await upstream.exchange(query, options)
  const isCut = result.kind === 'reply' && result.reply.truncated && config.preferUdp && !useTcp
  return isCut ? upstream.exchange(query, { ...options, useTcp: true }) : result
}

function isHandedOver(config: ForwardConfig, reply: Reply): boolean {
  const isEmpty = reply.rcode === rcode.NOERROR && reply.answer.length === 0
  return config.nextRcodes.includes(reply.rcode) || (config.nextOnNodata && isEmpty)
}

function exchangeOptions(config: ForwardConfig, useTcp: boolean): ExchangeOptions {
  return {
    useTcp,
    timeoutMs: config.readTimeoutMs,
    expireMs: config.expireMs,
    maxAgeMs: config.maxAgeMs,
    maxIdle: config.maxIdle,
    method: config.method,
    ...(config.tls === undefined ? {} : { tls: config.tls }),
    ...(config.sourceAddress === undefined ? {} : { sourceAddress: config.sourceAddress }),
  }
}

function orderOf(forwarder: Forwarder): readonly UpstreamHealth[] {
  const { upstreams, config, ports } = forwarder
  if (upstreams.length < 2 || config.policy === 'sequential') return upstreams
  const start =
    config.policy === 'round_robin'
      ? forwarder.turn++ % upstreams.length
      : Math.floor(ports.random() * upstreams.length)
  const rotated = [...upstreams.slice(start), ...upstreams.slice(0, start)]
  if (config.policy === 'round_robin') return rotated
  const [first, ...rest] = rotated
  return first === undefined ? [] : [first, ...rest.sort(() => ports.random() - 0.5)]
}
