// Shuffles addresses and mail exchangers of replies, so that clients that take the first spread over all.

import { type Cidr, contains, parseCidr, parseIp } from '@kubewire/kube-model'
import { editReply } from '../outcome.ts'
import { definePlugin, type PluginDefinition } from '../plugin.ts'
import type { DnsRecord } from '../record.ts'
import { rcode, rrType } from '../record-types.ts'

interface LoadbalanceConfig {
  /** Addresses inside these prefixes come first, in the order of the prefixes. */
  readonly preferred: readonly Cidr[]
}

export const loadbalance: PluginDefinition<LoadbalanceConfig> = definePlugin({
  name: 'loadbalance',
  summary: 'Shuffles A, AAAA and MX records of replies.',
  syntax: '[round_robin]',
  args: { min: 0, max: 1 },
  properties: {
    prefer: { min: 1, max: Number.POSITIVE_INFINITY, syntax: 'CIDR...', summary: 'These addresses come first.' },
  },
  configure(input) {
    const preferred: Cidr[] = []
    for (const directive of input.directives) {
      const [policy] = directive.args
      if (policy !== undefined && policy.text !== 'round_robin') {
        input.fail(`unknown policy: ${policy.text}`, policy)
      }
      for (const arg of (directive.block ?? []).flatMap((line) => line.args)) {
        const cidr = parseCidr(arg.text)
        if (cidr === undefined) input.fail(`invalid CIDR address: ${arg.text}`, arg)
        else preferred.push(cidr)
      }
    }
    return { preferred }
  },
  create({ preferred }, ports) {
    const arrange = (records: readonly DnsRecord[]): readonly DnsRecord[] =>
      records.length < 2 ? records : arrangeRecords(records, preferred, ports.random)
    return {
      isTransparent: true,
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
