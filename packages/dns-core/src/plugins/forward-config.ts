// Reads the forward directive (CoreDNS plugin/forward/setup.go).

import { printGoDuration } from '@kubewire/kube-model'
import type { Directive, DirectiveToken } from '../corefile/directive.ts'
import { parseZones } from '../corefile/zones.ts'
import { parseGoIp } from '../kube/go-ip.ts'
import type { Name } from '../name.ts'
import type { ConfigureInput, ExchangeOptions, PropertySpec, Upstream } from '../plugin.ts'
import { rcode } from '../record-types.ts'
import { rcodeWord } from './known-words.ts'
import { durationArgument, integerArgument, integerProblem } from './zone-arguments.ts'

/** How the next upstream is chosen. */
export type ForwardPolicy = 'random' | 'round_robin' | 'sequential'

/** What one forward directive says; times in milliseconds. */
export interface ForwardConfig {
  readonly from: Name
  readonly except: readonly Name[]
  /** Addresses as written, files and host names not yet resolved. */
  readonly to: readonly string[]
  readonly root: string
  readonly forceTcp: boolean
  readonly preferUdp: boolean
  readonly expireMs: number
  /** The age at which a connection is used no more; 0 is never. */
  readonly maxAgeMs: number
  readonly maxFails: number
  readonly maxConnectAttempts?: number
  readonly maxIdle: number
  readonly readTimeoutMs: number
  readonly tls?: NonNullable<ExchangeOptions['tls']>
  readonly tlsServerName?: string
  readonly policy: ForwardPolicy
  readonly healthCheck: { readonly intervalMs: number; readonly recursionDesired: boolean; readonly domain: Name }
  readonly maxConcurrent: number
  readonly nextRcodes: readonly number[]
  readonly nextOnNodata: boolean
  readonly failsFast: boolean
  readonly failoverRcodes: readonly number[]
  /** Servers that resolve the host names of `to`; empty is the system's. */
  readonly resolvers: readonly string[]
  readonly sourceAddress?: string
  readonly method: 'GET' | 'POST'
}

const many = Number.POSITIVE_INFINITY

export const forwardProperties: { readonly [name: string]: PropertySpec } = {
  except: { min: 1, max: many, syntax: 'ZONES...', summary: 'Names that are not forwarded.' },
  force_tcp: { min: 0, max: 0, syntax: '', summary: 'TCP to the upstream always.' },
  prefer_udp: { min: 0, max: 0, syntax: '', summary: 'UDP first also for TCP clients.' },
  expire: { min: 1, max: 1, syntax: 'DURATION', summary: 'How long idle connections live, default 10s.' },
  max_age: { min: 1, max: 1, syntax: 'DURATION', summary: 'How long any connection lives.' },
  max_fails: {
    min: 1,
    max: 1,
    readsOn: true,
    syntax: 'N',
    summary: 'Failures in a row before an upstream is down, default 2.',
  },
  max_connect_attempts: {
    min: 1,
    max: 1,
    readsOn: true,
    syntax: 'N',
    summary: 'Attempts for one query, default two per upstream.',
  },
  max_idle_conns: { min: 1, max: 1, readsOn: true, syntax: 'N', summary: 'Idle connections kept, 0 without limit.' },
  read_timeout: {
    min: 1,
    max: 1,
    readsOn: true,
    syntax: 'DURATION',
    summary: 'How long a reply is waited for, default 2s.',
  },
  tls: { min: 0, max: 3, syntax: '[CERT KEY [CA]]', summary: 'TLS to upstreams with tls://.' },
  tls_servername: {
    min: 1,
    max: 1,
    readsOn: true,
    syntax: 'NAME',
    summary: 'Name in the certificate of the upstream.',
  },
  policy: { min: 1, max: 1, syntax: 'random|round_robin|sequential', summary: 'Order of upstreams.' },
  health_check: {
    min: 1,
    max: 4,
    syntax: 'DURATION [no_rec] [domain NAME]',
    summary: 'Interval of probes, default 0.5s.',
  },
  max_concurrent: { min: 1, max: 1, readsOn: true, syntax: 'N', summary: 'Queries at one time; more are refused.' },
  next: { min: 1, max: many, syntax: 'RCODE...', summary: 'Codes that hand over to the next forward.' },
  next_on_nodata: { min: 0, max: 0, syntax: '', summary: 'NODATA hands over to the next forward.' },
  failfast_all_unhealthy_upstreams: { min: 0, max: 0, syntax: '', summary: 'SERVFAIL at once when all are down.' },
  failover: { min: 1, max: many, syntax: 'RCODE...', summary: 'Codes that make the next upstream be asked.' },
  resolver: { min: 1, max: many, syntax: 'IP...', summary: 'Servers that resolve host names of upstreams.' },
  source_address: { min: 1, max: 1, readsOn: true, syntax: 'IP', summary: 'Address queries are sent from.' },
  doh_method: { min: 1, max: 1, syntax: 'GET|POST', summary: 'Method towards https:// upstreams.' },
}

/** The most upstreams one directive may name. */
const maxUpstreams = 15

/** Reads one directive. */
export function configureForward(placed: ConfigureInput, directive: Directive): ForwardConfig {
  // COMPAT: most problems of this plugin are told without their place.
  const input: ConfigureInput = { ...placed, fail: (text) => placed.failPlain(text) }
  const [from, ...to] = directive.args
  const zones = parseZones(from?.text ?? '')
  if (zones === undefined || zones[0] === undefined) input.fail(`unable to normalize '${from?.text}'`, directive.end)
  if (to.length > maxUpstreams) input.fail(`more than ${maxUpstreams} TOs configured: ${to.length}`, directive.end)
  const lines = (name: string): Directive[] => (directive.block ?? []).filter((line) => line.name.text === name)
  const arg = (name: string): DirectiveToken | undefined => lines(name).pop()?.args[0]
  const [cert, key, ca] =
    lines('tls')
      .pop()
      ?.args.map((a) => a.text) ?? []
  const attempts = unsignedInteger(input, arg('max_connect_attempts'))
  const tlsServerName = arg('tls_servername')?.text
  const sourceAddress = arg('source_address')?.text
  if (sourceAddress !== undefined && parseGoIp(sourceAddress) === undefined) {
    placed.fail(`invalid IP address: ${sourceAddress}`, arg('source_address') ?? directive.end)
  }
  const expireMs = positiveDuration(input, arg('expire'), 'expire') ?? 10_000
  const maxAgeMs = positiveDuration(input, arg('max_age'), 'max_age') ?? 0
  if (maxAgeMs > 0 && maxAgeMs < expireMs) {
    const [age, expire] = [maxAgeMs, expireMs].map(printGoDuration)
    input.fail(`max_age (${age}) must not be less than expire (${expire})`, directive.end)
  }
  const rcodes = (name: string): number[] => lines(name).flatMap((line) => line.args.flatMap((a) => rcodeOf(input, a)))
  return {
    from: zones?.[0] ?? '.',
    except: lines('except').flatMap((line) => line.args.flatMap((a) => parseZones(a.text) ?? [])),
    to: to.map((token) => token.text),
    root: input.block.root,
    forceTcp: lines('force_tcp').length > 0,
    preferUdp: lines('prefer_udp').length > 0,
    expireMs,
    maxAgeMs,
    maxFails: unsignedInteger(input, arg('max_fails')) ?? 2,
    ...(attempts === undefined ? {} : { maxConnectAttempts: attempts }),
    maxIdle: positiveInteger(input, arg('max_idle_conns'), 'max_idle_conns') ?? 0,
    readTimeoutMs: readTimeoutOf(input, arg('read_timeout')),
    ...(lines('tls').length === 0 ? {} : { tls: tlsFiles(cert, key, ca) }),
    ...(tlsServerName === undefined ? {} : { tlsServerName }),
    policy: policyOf(placed, arg('policy')),
    healthCheck: healthCheckOf(placed, input, lines('health_check').pop()),
    maxConcurrent: positiveInteger(input, arg('max_concurrent'), 'max_concurrent') ?? 0,
    nextRcodes: rcodes('next'),
    nextOnNodata: lines('next_on_nodata').length > 0,
    failsFast: lines('failfast_all_unhealthy_upstreams').length > 0,
    failoverRcodes: failoverOf(input, lines('failover'), rcodes('failover')),
    resolvers: lines('resolver').flatMap((line) => line.args.map((a) => resolverOf(input, a))),
    ...(sourceAddress === undefined ? {} : { sourceAddress }),
    method: methodOf(input, arg('doh_method')),
  }
}

/** The upstreams of one TO: an address with optional port and scheme; `undefined` when it is something else. */
export function parseUpstream(text: string): Upstream | undefined {
  const match = /^(?:([a-z0-9]+):\/\/)?(.*?)(?:%([^%]+))?$/s.exec(text)
  const scheme = match?.[1] ?? 'dns'
  if (scheme !== 'dns' && scheme !== 'tls' && scheme !== 'https') return undefined
  const host = match?.[2] ?? ''
  const bracketed = /^\[([0-9a-fA-F:.]+)\](?::([0-9]+))?$/.exec(host)
  const plain = /^([0-9.]+)(?::([0-9]+))?$/.exec(host)
  const address = parseGoIp(bracketed?.[1] ?? plain?.[1] ?? host)
  const portText = bracketed?.[2] ?? plain?.[2]
  if (address === undefined) return undefined
  const defaultPort = scheme === 'tls' ? 853 : scheme === 'https' ? 443 : 53
  const serverName = match?.[3]
  const port = portText === undefined ? defaultPort : Number(portText)
  return { transport: scheme, address, port, ...(serverName === undefined ? {} : { serverName }) }
}

/** The host name in a TO that is no address; `undefined` for addresses and for what cannot be a name. */
export function upstreamHost(to: string): string | undefined {
  const host = /^(?:[a-z0-9]+:\/\/)?([A-Za-z0-9_.-]+)(?::[0-9]+)?(?:%[^%]+)?$/.exec(to)?.[1]
  return host === undefined || parseUpstream(to) !== undefined ? undefined : host
}

/** A TO with an address in the place of its host name; `serverName` is what a certificate must hold. */
export function upstreamAt(to: string, host: string, address: string, serverName: string): Upstream | undefined {
  const literal = address.includes(':') ? `[${address}]` : address
  const upstream = parseUpstream(to.replace(host, literal))
  return upstream === undefined || upstream.transport === 'dns' ? upstream : { serverName, ...upstream }
}

/** Host names that a directive wants resolved before it starts, by these servers. */
export function forwardHosts({ to, resolvers }: ForwardConfig): { host: string; resolvers: readonly string[] }[] {
  return to.flatMap(upstreamHost).flatMap((host) => (host === undefined ? [] : [{ host, resolvers }]))
}

/** Addresses of the `nameserver` lines of a resolv.conf. */
export function nameserversOf(resolvConf: string): string[] {
  const words = resolvConf.split('\n').map((line) =>
    line
      .replace(/[#;].*$/, '')
      .trim()
      .split(/\s+/),
  )
  return words.flatMap(([word, address]) => (word === 'nameserver' && address !== undefined ? [address] : []))
}

function tlsFiles(
  first: string | undefined,
  second: string | undefined,
  third: string | undefined,
): NonNullable<ForwardConfig['tls']> {
  // One argument is a CA, two a certificate and its key, three all of them (CoreDNS plugin/pkg/tls).
  if (first !== undefined && second === undefined) return { ca: first }
  return {
    ...(first === undefined ? {} : { cert: first }),
    ...(second === undefined ? {} : { key: second }),
    ...(third === undefined ? {} : { ca: third }),
  }
}

function failoverOf(input: ConfigureInput, lines: readonly Directive[], codes: readonly number[]): readonly number[] {
  const [line] = lines
  if (line !== undefined && codes.includes(rcode.NOERROR)) input.fail('NoError cannot be used in failover', line.end)
  return codes
}

function resolverOf(input: ConfigureInput, token: DirectiveToken): string {
  if (parseUpstream(token.text) === undefined) {
    input.fail(`resolver must be an IP address or IP:port: ${JSON.stringify(token.text)}`, token)
  }
  return token.text
}

function methodOf(input: ConfigureInput, token: DirectiveToken | undefined): 'GET' | 'POST' {
  if (token !== undefined && token.text !== 'GET' && token.text !== 'POST') {
    input.fail('doh_method must be either POST or GET', token)
  }
  return token?.text === 'GET' ? 'GET' : 'POST'
}

function policyOf(input: ConfigureInput, token: DirectiveToken | undefined): ForwardPolicy {
  const text = token?.text ?? 'random'
  if (text === 'random' || text === 'round_robin' || text === 'sequential') return text
  if (token !== undefined) input.fail(`unknown policy '${text}'`, token)
  return 'random'
}

function healthCheckOf(
  placed: ConfigureInput,
  input: ConfigureInput,
  line: Directive | undefined,
): ForwardConfig['healthCheck'] {
  const [interval, ...options] = line?.args ?? []
  let recursionDesired = true
  let domain: Name = '.'
  for (let at = 0; at < options.length; at++) {
    const word = options[at]?.text
    if (word === 'no_rec') recursionDesired = false
    else if (word === 'domain') domain = domainOf(placed, input, options[++at], options[at - 1])
    else if (line !== undefined) input.fail(`health_check: unknown option ${word}`, line.end)
  }
  return { intervalMs: positiveDuration(input, interval, 'health_check') ?? 500, recursionDesired, domain }
}

function domainOf(
  placed: ConfigureInput,
  input: ConfigureInput,
  token: DirectiveToken | undefined,
  before: DirectiveToken | undefined,
): Name {
  const zone = token === undefined ? undefined : parseZones(token.text)?.[0]
  if (token === undefined && before !== undefined) {
    placed.fail("Wrong argument count or unexpected line ending after 'domain'", before)
  } else if (zone === undefined && token !== undefined) {
    input.fail(`health_check: invalid domain name ${token.text}`, token)
  }
  return zone ?? '.'
}

function readTimeoutOf(input: ConfigureInput, token: DirectiveToken | undefined): number {
  const ms = durationArgument(input, token) ?? 2000
  if (ms <= 0)
    input.fail(`read_timeout must be positive: ${printGoDuration(ms)}`, token ?? { text: '', file: '', line: 0 })
  return ms
}

function rcodeOf(input: ConfigureInput, token: DirectiveToken): number[] {
  const code = rcodeWord(token.text.toUpperCase())
  if (code === undefined) input.fail(`${token.text} is not a valid rcode`, token)
  return code === undefined ? [] : [code]
}

function positiveDuration(input: ConfigureInput, token: DirectiveToken | undefined, name: string): number | undefined {
  const ms = durationArgument(input, token)
  if (ms !== undefined && ms < 0 && token !== undefined) input.fail(`${name} can't be negative: ${token.text}`, token)
  return ms
}

function positiveInteger(input: ConfigureInput, token: DirectiveToken | undefined, name: string): number | undefined {
  const value = integerArgument(input, token)
  if (value !== undefined && value < 0 && token !== undefined) input.fail(`${name} can't be negative: ${value}`, token)
  return value
}

function unsignedInteger(input: ConfigureInput, token: DirectiveToken | undefined): number | undefined {
  if (token === undefined) return undefined
  const read = integerProblem(token.text, 'ParseUint', 32)
  if (typeof read === 'number') return read
  input.fail(read, token)
  return undefined
}
