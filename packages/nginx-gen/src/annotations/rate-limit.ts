// limit-*: requests, connections and bytes per client. One zone per Ingress, shared by its locations.
// Source: ingress-nginx 1.15 annotations/ratelimit, template buildRateLimit*.

import { block, type ConfigNode, directive, list, literal, word } from '../config/node.ts'
import { hashText } from '../translate/hash.ts'
import { at, defineAnnotation, defineFamily, type Family, inHttp } from './define.ts'
import { cidrList, integer } from './values.ts'

/** Limits of an Ingress; 0 is no limit, rates of bytes in KiB. */
export interface RateLimit {
  readonly id: string
  readonly connections: number
  readonly perSecond: number
  readonly perMinute: number
  readonly burstMultiplier: number
  readonly unlimited: readonly string[]
  readonly rate: number
  readonly rateAfter: number
}

const common = { group: 'limits', scope: 'location', risk: 'Low' } as const

const limitConnections = defineAnnotation({
  ...common,
  names: ['limit-connections'],
  value: integer,
  invalid: 'refuse',
  fallback: 'no limit',
  summary: 'parallel connections of one client',
  tier: 1,
})

const limitRps = defineAnnotation({
  ...common,
  names: ['limit-rps'],
  value: integer,
  invalid: 'refuse',
  fallback: 'no limit',
  summary: 'requests of one client per second',
  tier: 1,
})

const limitRpm = defineAnnotation({
  ...common,
  names: ['limit-rpm'],
  value: integer,
  invalid: 'refuse',
  fallback: 'no limit',
  summary: 'requests of one client per minute',
  tier: 1,
})

const limitBurstMultiplier = defineAnnotation({
  ...common,
  names: ['limit-burst-multiplier'],
  value: integer,
  invalid: 'ignore',
  fallback: '5',
  summary: 'how many times the limit may come at once',
  tier: 2,
})

const limitAllowlist = defineAnnotation({
  ...common,
  names: ['limit-allowlist', 'limit-whitelist'],
  value: cidrList,
  invalid: 'refuse',
  fallback: 'nobody',
  summary: 'clients without limits',
  tier: 2,
})

const limitRate = defineAnnotation({
  ...common,
  names: ['limit-rate'],
  value: integer,
  invalid: 'ignore',
  fallback: 'the ConfigMap value (0)',
  summary: 'bytes of an answer per second, KiB; needs proxy-buffering',
  tier: 2,
})

const limitRateAfter = defineAnnotation({
  ...common,
  names: ['limit-rate-after'],
  value: integer,
  invalid: 'ignore',
  fallback: 'the ConfigMap value (0)',
  summary: 'first part of an answer that is not slowed down, KiB',
  tier: 3,
})

/** See the file header. */
export const rateLimit: Family<RateLimit> = defineFamily({
  name: 'rate-limit',
  annotations: [limitConnections, limitRps, limitRpm, limitBurstMultiplier, limitAllowlist, limitRate, limitRateAfter],
  resolve: (read, { key, settings, isBuiltIn }) => ({
    id: hashText(key).slice(0, 16),
    connections: read(limitConnections) ?? 0,
    perSecond: read(limitRps) ?? 0,
    perMinute: read(limitRpm) ?? 0,
    burstMultiplier: read(limitBurstMultiplier) ?? 5,
    unlimited: read(limitAllowlist) ?? [],
    rate: read(limitRate) ?? (isBuiltIn ? 0 : settings['limit-rate']),
    rateAfter: read(limitRateAfter) ?? (isBuiltIn ? 0 : settings['limit-rate-after']),
  }),
  render: (value, { settings }) => {
    const zones = renderZones(value, settings['limit-conn-zone-variable'])
    return [at('limits', ...renderLimits(value)), ...(zones.length > 0 ? [inHttp(...zones)] : [])]
  },
})

/** The largest number that limit_conn takes. */
const mostConnections = 65_535

function renderLimits(value: RateLimit): ConfigNode[] {
  // nginx takes no burst of 0: without one, nothing beyond the rate passes.
  const burst = (limit: number): string[] => {
    const size = limit * value.burstMultiplier
    return size > 0 ? [`burst=${size}`] : []
  }
  const { id, connections, perSecond, perMinute, rate, rateAfter } = value
  return [
    ...(connections > 0 ? [directive('limit_conn', `conn_${id}`, Math.min(connections, mostConnections))] : []),
    ...(perSecond > 0 ? [directive('limit_req', `zone=rps_${id}`, ...burst(perSecond), 'nodelay')] : []),
    ...(perMinute > 0 ? [directive('limit_req', `zone=rpm_${id}`, ...burst(perMinute), 'nodelay')] : []),
    ...(rateAfter > 0 ? [directive('limit_rate_after', `${rateAfter}k`)] : []),
    ...(rate > 0 ? [directive('limit_rate', `${rate}k`)] : []),
  ]
}

function renderZones(value: RateLimit, keyVariable: string): ConfigNode[] {
  const { id, connections, perSecond, perMinute, unlimited } = value
  if (connections <= 0 && perSecond <= 0 && perMinute <= 0) return []
  const key = `$limit_${id}`
  const zone = (name: string, ...rate: readonly string[]): ConfigNode =>
    directive(name === 'conn' ? 'limit_conn_zone' : 'limit_req_zone', key, `zone=${name}_${id}:5m`, ...rate)
  return [
    block(
      'geo',
      ['$remote_addr', `$unlimited_${id}`],
      [directive('default', '0'), ...unlimited.map((range) => directive(range, '1'))],
    ),
    block(
      'map',
      [`$unlimited_${id}`, key],
      [directive('default', literal('')), directive('0', list('', word(keyVariable)))],
    ),
    ...(connections > 0 ? [zone('conn')] : []),
    ...(perSecond > 0 ? [zone('rps', `rate=${perSecond}r/s`)] : []),
    ...(perMinute > 0 ? [zone('rpm', `rate=${perMinute}r/m`)] : []),
  ]
}
