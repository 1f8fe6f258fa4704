// Shuffles addresses and mail exchangers of replies, so that clients that take the first spread over all.

import { type Cidr, contains, parseCidr, parseIp } from '@kubewire/kube-model'
import { editReply } from '../outcome.ts'
import { type ConfigureInput, definePlugin, type PluginDefinition } from '../plugin.ts'
import type { DnsRecord } from '../record.ts'
import { rcode, rrType } from '../record-types.ts'
import { createWeights, type WeightedSource, weightedSource } from './loadbalance-weights.ts'

interface LoadbalanceConfig {
  /** Addresses inside these prefixes come first, in the order of the prefixes. */
  readonly preferred: readonly Cidr[]
  /** The policy `weighted`. */
  readonly weighted?: WeightedSource
}

export const loadbalance: PluginDefinition<LoadbalanceConfig> = definePlugin({
  name: 'loadbalance',
  summary: 'Shuffles A, AAAA and MX records of replies.',
  syntax: '[round_robin | weighted FILE]',
  args: { min: 0, max: 2 },
  properties: {
    reload: { min: 1, max: 1, syntax: 'DURATION', summary: 'How often the file of weights is looked at, default 30s.' },
    prefer: { min: 0, max: Number.POSITIVE_INFINITY, syntax: 'CIDR...', summary: 'These addresses come first.' },
  },
  configure: configureLoadbalance,
  create({ preferred, weighted }, ports) {
    const weights = weighted === undefined ? undefined : createWeights(weighted, ports)
    const arrange = (records: readonly DnsRecord[]): readonly DnsRecord[] => {
      if (records.length < 2) return records
      if (weights !== undefined) return weights.arrange(records)
      return arrangeRecords(records, preferred, ports.random)
    }
    return {
      // Weights and preferences are not known to the ready answers, which only rotate.
      isTransparent: weighted === undefined && preferred.length === 0,
      startError: weights?.startError,
      close: () => weights?.close(),
      handle(query, context) {
        return editReply(context.next(query), (reply) => {
          if (reply.rcode !== rcode.NOERROR || query.type === rrType.AXFR || query.type === rrType.IXFR) return reply
          return {
            ...reply,
            answer: arrange(reply.answer),
            authority: arrange(reply.authority),
            additional: arrange(reply.additional),
          }
        })
      },
    }
  },
})

function configureLoadbalance(input: ConfigureInput): LoadbalanceConfig {
  const preferred: Cidr[] = []
  let weighted: WeightedSource | undefined
  for (const directive of input.directives) {
    const [policy, file] = directive.args
    const lines = (name: string): typeof directive.args =>
      (directive.block ?? []).filter((line) => line.name.text === name).flatMap((line) => line.args)
    if (policy?.text === 'weighted' && file === undefined) input.fail('missing weight file argument', policy)
    else if (policy?.text === 'weighted') weighted = weightedSource(input, file?.text ?? '', lines('reload')[0])
    else if (policy !== undefined && policy.text !== 'round_robin') input.failPlain(`unknown policy: ${policy.text}`)
    else if (file !== undefined) input.fail('unknown property for round_robin', file)
    for (const line of policy?.text === 'weighted' ? [] : (directive.block ?? [])) {
      if (line.name.text === 'reload') input.fail("unknown property 'reload'", line.name)
    }
    for (const arg of lines('prefer')) {
      const cidr = parseCidr(arg.text)
      if (cidr === undefined)
        input.fail(`invalid CIDR ${JSON.stringify(arg.text)}: invalid CIDR address: ${arg.text}`, arg)
      else preferred.push(cidr)
    }
  }
  return { preferred, ...(weighted === undefined ? {} : { weighted }) }
}

/** CNAME, others, addresses, MX; the last two shuffled (CoreDNS plugin/loadbalance/loadbalance.go). */
function arrangeRecords(
  records: readonly DnsRecord[],
  preferred: readonly Cidr[],
  random: () => number,
): readonly DnsRecord[] {
  const aliases: DnsRecord[] = []
  const others: DnsRecord[] = []
  const addresses: DnsRecord[] = []
  const exchangers: DnsRecord[] = []
  for (const record of records) {
    if (record.type === rrType.CNAME) aliases.push(record)
    else if (record.type === rrType.A || record.type === rrType.AAAA) addresses.push(record)
    else if (record.type === rrType.MX) exchangers.push(record)
    else others.push(record)
  }
  shuffle(addresses, random)
  shuffle(exchangers, random)
  if (preferred.length > 0) addresses.sort((a, b) => rank(a, preferred) - rank(b, preferred))
  return [...aliases, ...others, ...addresses, ...exchangers]
}

function rank(record: DnsRecord, preferred: readonly Cidr[]): number {
  const ip = record.data.kind === 'address' ? parseIp(record.data.address) : undefined
  const index = ip === undefined ? -1 : preferred.findIndex((cidr) => contains(cidr, ip))
  return index < 0 ? preferred.length : index
}

function shuffle(records: DnsRecord[], random: () => number): void {
  for (let i = records.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const [a, b] = [records[i], records[j]]
    if (a !== undefined && b !== undefined) [records[i], records[j]] = [b, a]
  }
}
