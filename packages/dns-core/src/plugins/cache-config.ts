// Reads the cache directive (CoreDNS plugin/cache/setup.go).

import type { Directive, DirectiveToken } from '../corefile/directive.ts'
import type { Name } from '../name.ts'
import type { ConfigureInput, PropertySpec } from '../plugin.ts'
import { durationArgument, durationProblem, integerArgument, integerProblem, zonesOrBlock } from './zone-arguments.ts'

/** Capacity and limits of the TTL in seconds of one class of replies. */
export interface CacheClass {
  readonly capacity: number
  readonly maxTtl: number
  readonly minTtl: number
  /** Zones whose replies are not stored. */
  readonly except: readonly Name[]
}

/** How stale entries are served. */
export interface ServeStale {
  readonly upToMs: number
  readonly mode: 'immediate' | 'verify'
  readonly verifyTimeoutMs: number
  readonly ttlSeconds: number
  readonly recheckMs: number
}

/** What the cache directive says. */
export interface CacheConfig {
  readonly zones: readonly Name[]
  readonly success: CacheClass
  readonly denial: CacheClass
  readonly failSeconds: number
  readonly keepsTtl: boolean
  readonly prefetch?: { readonly hits: number; readonly gapMs: number; readonly percent: number }
  readonly stale?: ServeStale
  readonly prefersPositive: boolean
}

const many = Number.POSITIVE_INFINITY
const defaultCapacity = 9984

export const cacheProperties: { readonly [name: string]: PropertySpec } = {
  success: { min: 1, max: many, syntax: 'CAPACITY [TTL] [MINTTL]', summary: 'Positive replies; TTL at most 3600.' },
  denial: { min: 1, max: many, syntax: 'CAPACITY [TTL] [MINTTL]', summary: 'Denials; TTL at most 1800.' },
  prefetch: { min: 1, max: 3, syntax: 'AMOUNT [DURATION] [PERCENT%]', summary: 'Refreshes popular entries early.' },
  serve_stale: {
    min: 0,
    max: 5,
    syntax: '[DURATION] [immediate [TTL [RECHECK]] | verify [TIMEOUT [TTL [RECHECK]]]]',
    summary: 'Serves expired entries when no fresh answer is there.',
  },
  serve_stale_policy: { min: 1, max: 1, syntax: 'prefer_positive', summary: 'A stale answer wins over a denial.' },
  servfail: { min: 1, max: 1, syntax: 'DURATION', summary: 'How long failures are stored, 0 to 5 minutes.' },
  disable: { min: 1, max: many, syntax: 'success|denial [ZONES...]', summary: 'Stores nothing of a class.' },
  keepttl: { min: 0, max: 0, syntax: '', summary: 'TTLs do not count down.' },
}

/** Reads the directive. */
export function configureCache(input: ConfigureInput): CacheConfig {
  const [directive] = input.directives
  if (directive === undefined) throw new Error('a plugin is configured only where its directive stands')
  const [first, ...others] = directive.args
  const hasTtl = first !== undefined && /^[+-]?[0-9]+$/.test(first.text)
  const ttl = hasTtl ? positiveTtl(input, first) : undefined
  const lines = (name: string): Directive[] => (directive.block ?? []).filter((line) => line.name.text === name)
  const prefetch = lines('prefetch').pop()
  const stale = lines('serve_stale').pop()
  const policy = lines('serve_stale_policy').pop()
  const isPreferring = prefersPositive(input, policy)
  if (stale === undefined && policy !== undefined) {
    input.fail('serve_stale_policy requires serve_stale', directive.end)
  }
  for (const line of lines('disable')) {
    if (line.args[0]?.text === 'success' || line.args[0]?.text === 'denial') continue
    input.fail('cache type for disable must be "success" or "denial"', line.end)
  }
  return {
    zones: zonesOrBlock(input, hasTtl ? others : directive.args),
    success: cacheClass(input, lines('success'), lines('disable'), 'success', ttl ?? 3600),
    denial: cacheClass(input, lines('denial'), lines('disable'), 'denial', ttl ?? 1800),
    failSeconds: failSeconds(input, lines('servfail').pop()),
    keepsTtl: lines('keepttl').length > 0,
    prefersPositive: isPreferring,
    ...(prefetch === undefined ? {} : { prefetch: prefetchOf(input, prefetch) }),
    ...(stale === undefined ? {} : { stale: staleOf(input, stale) }),
  }
}

function positiveTtl(input: ConfigureInput, token: DirectiveToken | undefined): number | undefined {
  const value = integerArgument(input, token)
  if (value !== undefined && value <= 0 && token !== undefined) {
    input.fail(`cache TTL can not be zero or negative: ${value}`, token)
  }
  return value
}

function cacheClass(
  input: ConfigureInput,
  lines: readonly Directive[],
  disables: readonly Directive[],
  name: string,
  ttl: number,
): CacheClass {
  const except = disables
    .filter((line) => line.args[0]?.text === name)
    .flatMap((line) => zonesOrBlock(input, line.args.slice(1)))
  const [capacity, max, min] = lines[lines.length - 1]?.args ?? []
  const minTtl = integerArgument(input, min) ?? 5
  if (min !== undefined && minTtl < 0) input.fail(`cache min TTL can not be negative: ${minTtl}`, min)
  return {
    // COMPAT: 256 shards of at least four entries each (CoreDNS plugin/pkg/cache).
    capacity: Math.max(1024, integerArgument(input, capacity) ?? defaultCapacity),
    maxTtl: positiveTtl(input, max) ?? ttl,
    minTtl,
    except,
  }
}

function failSeconds(input: ConfigureInput, line: Directive | undefined): number {
  const ms = durationArgument(input, line?.args[0])
  if (ms === undefined || line === undefined) return 5
  if (ms < 0) input.fail('invalid negative ttl for servfail', line.end)
  if (ms > 300_000) input.fail('caching SERVFAIL responses over 5 minutes is not permitted', line.end)
  return ms / 1000
}

function prefersPositive(input: ConfigureInput, line: Directive | undefined): boolean {
  const token = line?.args[0]
  if (token !== undefined && token.text !== 'prefer_positive') {
    input.fail(`invalid serve_stale_policy: ${token.text}`, token)
  }
  return token !== undefined
}

function prefetchOf(input: ConfigureInput, line: Directive): NonNullable<CacheConfig['prefetch']> {
  const [amount, duration, percentage] = line.args
  const hits = integerArgument(input, amount) ?? 0
  if (hits < 0) input.fail(`prefetch amount should be positive: ${hits}`, line.end)
  const percent = percentage === undefined ? 10 : percentOf(input, percentage)
  if (percentage !== undefined && !percentage.text.endsWith('%')) {
    input.fail(`last character of percentage should be \`%\`, but is: '${percentage.text.slice(-1)}'`, percentage)
  } else if (percent < 10 || percent > 90) {
    input.fail(`percentage should fall in range [10, 90]: ${percent}`, line.end)
  }
  return { hits, gapMs: durationArgument(input, duration) ?? 60_000, percent }
}

function percentOf(input: ConfigureInput, token: DirectiveToken): number {
  const read = integerProblem(token.text.replace(/%$/, ''), 'Atoi')
  if (typeof read === 'string' && token.text.endsWith('%')) input.fail(read, token)
  return typeof read === 'string' ? Number.NaN : read
}

/** A duration of `serve_stale` that must not be negative. */
function staleDuration(
  input: ConfigureInput,
  token: DirectiveToken | undefined,
  what: string,
  negative: string,
): number {
  if (token === undefined) return 0
  const read = durationProblem(token.text)
  if (typeof read === 'string') input.fail(`invalid serve_stale ${what}: ${read}`, token)
  else if (read < 0) input.fail(`invalid negative ${negative}`, token)
  return Number(read)
}

function staleOf(input: ConfigureInput, line: Directive): ServeStale {
  const [duration, mode, ...rest] = line.args
  const upToMs = durationArgument(input, duration) ?? 3_600_000
  if (upToMs < 0) input.fail('invalid negative duration for serve_stale', line.end)
  const word = mode?.text.toLowerCase() ?? 'immediate'
  if (mode !== undefined && word !== 'immediate' && word !== 'verify') {
    input.fail(`invalid value for serve_stale refresh mode: ${mode.text}`, mode)
  }
  const isVerify = word === 'verify'
  const extra = rest[isVerify ? 3 : 2]
  if (extra !== undefined) input.fail(`Wrong argument count or unexpected line ending after '${extra.text}'`, extra)
  const [timeout, ttl, recheck] = isVerify ? rest : [undefined, ...rest]
  return {
    upToMs,
    mode: isVerify ? 'verify' : 'immediate',
    verifyTimeoutMs: staleDuration(input, timeout, 'verify timeout', 'timeout for serve_stale verify'),
    ttlSeconds: Math.floor(staleDuration(input, ttl, 'response TTL', 'response TTL for serve_stale') / 1000),
    recheckMs: staleDuration(input, recheck, 'failure recheck', 'failure recheck for serve_stale'),
  }
}
