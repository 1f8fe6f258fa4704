// A bad server for tests of clients: drops, delays and truncates (CoreDNS plugin/erratic).

import type { Directive } from '../corefile/directive.ts'
import { drop, type Eventually, failed, type Outcome, replied, whenReady } from '../outcome.ts'
import { type ConfigureInput, definePlugin, type PluginDefinition } from '../plugin.ts'
import type { Query } from '../query.ts'
import { addressRecord, type DnsRecord, nameRecord } from '../record.ts'
import { rcode, rrClass, rrType } from '../record-types.ts'
import { authoritativeReply } from '../reply.ts'
import { plainDuration, plainInteger } from './zone-arguments.ts'

interface ErraticConfig {
  readonly dropEvery: number
  readonly delayEvery: number
  readonly delayMs: number
  readonly truncateEvery: number
  readonly isLarge: boolean
}

/** Copies of the address in a large answer. */
const largeCount = 30

export const erratic: PluginDefinition<ErraticConfig> = definePlugin({
  name: 'erratic',
  summary: 'Drops, delays and truncates replies, for tests of clients.',
  syntax: '',
  args: { min: 0, max: Number.POSITIVE_INFINITY },
  properties: {
    drop: { min: 0, max: 1, syntax: '[AMOUNT]', summary: 'Drops one of this many queries, default 2.' },
    delay: { min: 0, max: 2, syntax: '[AMOUNT [DURATION]]', summary: 'Delays one of this many, default 2 by 100ms.' },
    truncate: { min: 0, max: 1, syntax: '[AMOUNT]', summary: 'Truncates one of this many, default 2.' },
    large: { min: 0, max: 0, readsOn: true, syntax: '', summary: 'Repeats the address in answers to A, 30 times.' },
  },
  configure(input) {
    const lines = input.directives.flatMap(({ block = [] }) => block)
    const last = (name: string): Directive | undefined => lines.filter((line) => line.name.text === name).pop()
    const [delayEvery, truncateEvery] = [amountOf(input, last('delay')), amountOf(input, last('truncate'))]
    const dropped = last('drop')
    const isDropSaid = dropped !== undefined && dropped.args.length > 0
    // Who asks for delays or truncation and says no number for drops gets none.
    const dropEvery = isDropSaid ? amountOf(input, dropped) : delayEvery > 0 || truncateEvery > 0 ? 0 : 2
    const delayMs = plainDuration(input, last('delay')?.args[1]) ?? 100
    return { dropEvery, delayEvery, delayMs, truncateEvery, isLarge: last('large') !== undefined }
  },
  create(config, ports) {
    let count = 0
    const isTurn = (number: number, every: number): boolean => every > 0 && number % every === 0
    return {
      handle(query): Eventually<Outcome> {
        const number = count++
        if (isTurn(number, config.dropEvery)) return drop
        const wait: Eventually<void> = isTurn(number, config.delayEvery)
          ? new Promise((resolve) => ports.schedule(config.delayMs, resolve))
          : undefined
        // COMPAT: the bits of the number decide here, not its remainder (CoreDNS plugin/erratic).
        const truncated = config.truncateEvery > 0 && (number & config.truncateEvery) === 0
        return whenReady(wait, () => answerTo(query, truncated, config.isLarge))
      },
    }
  },
})

function answerTo(query: Query, truncated: boolean, isLarge: boolean): Outcome {
  switch (query.type) {
    case rrType.A: {
      const record = addressRecord(query.name, 0, '192.0.2.53')
      const answer = Array.from({ length: isLarge ? largeCount : 1 }, () => record)
      return replied({ ...authoritativeReply(answer), truncated })
    }
    case rrType.AAAA:
      return replied({ ...authoritativeReply([addressRecord(query.name, 0, '2001:db8::53')]), truncated })
    case rrType.AXFR: {
      const zone = smallZone(query.name)
      // A truncated transfer lacks its end.
      return replied(authoritativeReply(truncated ? zone : [...zone, ...zone.slice(0, 1)]))
    }
    default:
      return failed(rcode.SERVFAIL)
  }
}

/** The zone that is transferred, the same for every name (CoreDNS plugin/erratic/xfr.go). */
function smallZone(zone: string): readonly DnsRecord[] {
  const below = (label: string): string => (zone === '.' ? `${label}.` : `${label}.${zone}`)
  const soa = {
    kind: 'soa',
    mname: 'sns.dns.icann.org.',
    rname: 'noc.dns.icann.org.',
    serial: 2018050825,
    refreshSeconds: 7200,
    retrySeconds: 3600,
    expireSeconds: 1209600,
    minimumSeconds: 3600,
  } as const
  return [
    { name: zone, type: rrType.SOA, class: rrClass.IN, ttlSeconds: 0, data: soa },
    nameRecord(zone, rrType.NS, 0, below('b')),
    nameRecord(zone, rrType.NS, 0, below('a')),
    addressRecord(below('a'), 0, '2001:bd8::53'),
    addressRecord(below('b'), 0, '2001:500::54'),
  ]
}

/** The amount of a line: 0 without the line, 2 without a number. */
function amountOf(input: ConfigureInput, line: Directive | undefined): number {
  if (line === undefined) return 0
  const value = plainInteger(input, line.args[0], 'ParseInt') ?? 2
  if (value < 0) input.failPlain(`illegal amount value given ${JSON.stringify(line.args[0]?.text)}`)
  return value
}
