// A bad server for tests of clients: drops, delays and truncates (CoreDNS plugin/erratic).

import { drop, type Eventually, failed, type Outcome, replied, whenReady } from '../outcome.ts'
import { type ConfigureInput, definePlugin, type PluginDefinition } from '../plugin.ts'
import { addressRecord } from '../record.ts'
import { rcode, rrType } from '../record-types.ts'
import { authoritativeReply } from '../reply.ts'
import { durationArgument, integerArgument } from './zone-arguments.ts'

interface ErraticConfig {
  readonly dropEvery: number
  readonly delayEvery: number
  readonly delayMs: number
  readonly truncateEvery: number
}

export const erratic: PluginDefinition<ErraticConfig> = definePlugin({
  name: 'erratic',
  summary: 'Drops, delays and truncates replies, for tests of clients.',
  syntax: '',
  args: { min: 0, max: 0 },
  properties: {
    drop: { min: 0, max: 1, syntax: '[AMOUNT]', summary: 'Drops one of this many queries, default 2.' },
    delay: { min: 0, max: 2, syntax: '[AMOUNT [DURATION]]', summary: 'Delays one of this many, default 2 by 100ms.' },
    truncate: { min: 0, max: 1, syntax: '[AMOUNT]', summary: 'Truncates one of this many, default 2.' },
    large: { min: 0, max: 0, syntax: '', summary: 'Accepted and ignored.' },
  },
  configure(input) {
    const amount = (name: string): number => amountOf(input, name)
    const delay = input.directives[0]?.block?.find((line) => line.name.text === 'delay')
    const delayMs = durationArgument(input, delay?.args[1]) ?? 100
    const hasAny = (input.directives[0]?.block ?? []).length > 0
    return {
      dropEvery: hasAny ? amount('drop') : 2,
      delayEvery: amount('delay'),
      delayMs,
      truncateEvery: amount('truncate'),
    }
  },
  create(config, ports) {
    let count = 0
    const isTurn = (every: number): boolean => every > 0 && count % every === 0
    return {
      handle(query): Eventually<Outcome> {
        count++
        if (isTurn(config.dropEvery)) return drop
        const wait: Eventually<void> = isTurn(config.delayEvery)
          ? new Promise((resolve) => ports.schedule(config.delayMs, resolve))
          : undefined
        const truncated = isTurn(config.truncateEvery)
        return whenReady(wait, (): Outcome => {
          if (query.type === rrType.A)
            return replied({ ...authoritativeReply([addressRecord(query.name, 0, '192.0.2.53')]), truncated })
          if (query.type === rrType.AAAA) {
            return replied({ ...authoritativeReply([addressRecord(query.name, 0, '2001:db8::53')]), truncated })
          }
          return failed(rcode.SERVFAIL)
        })
      },
    }
  },
})

function amountOf(input: ConfigureInput, name: string): number {
  const line = input.directives[0]?.block?.find((candidate) => candidate.name.text === name)
  if (line === undefined) return 0
  const value = integerArgument(input, line.args[0]) ?? 2
  if (value < 0) input.fail(`illegal amount value given ${JSON.stringify(line.args[0]?.text)}`, line.end)
  return value
}
