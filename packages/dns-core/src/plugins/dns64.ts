// Makes AAAA records from A records for clients without IPv4 (RFC 6147, addresses by RFC 6052).

import { type Cidr, contains, ipOf, parseCidr, parseIp } from '@kubewire/kube-model'
import type { DirectiveToken } from '../corefile/directive.ts'
import { foldName } from '../name.ts'
import { failed, replied, whenReady } from '../outcome.ts'
import { type ConfigureInput, definePlugin, type PluginDefinition } from '../plugin.ts'
import { askingFor, type Query } from '../query.ts'
import type { DnsRecord } from '../record.ts'
import { rcode, rrClass, rrType } from '../record-types.ts'
import { emptyReply, type Reply } from '../reply.ts'

interface Dns64Config {
  readonly prefix: Cidr
  readonly translatesAll: boolean
  readonly allowsIpv4: boolean
}

const wellKnown = parseCidr('64:ff9b::/96')

export const dns64: PluginDefinition<Dns64Config> = definePlugin({
  name: 'dns64',
  summary: 'Makes AAAA records from A records.',
  syntax: '[PREFIX]',
  args: { min: 0, max: 1 },
  properties: {
    prefix: { min: 1, max: 1, syntax: 'PREFIX', summary: 'Prefix of the addresses, default 64:ff9b::/96.' },
    translate_all: { min: 0, max: 0, readsOn: true, syntax: '', summary: 'Also where AAAA records exist.' },
    allow_ipv4: { min: 0, max: 0, readsOn: true, syntax: '', summary: 'Also for clients over IPv4.' },
  },
  configure(input) {
    const [directive] = input.directives
    const [inline] = directive?.args ?? []
    // COMPAT: with a prefix on the line itself the block is ignored.
    const lines = inline === undefined ? (directive?.block ?? []) : []
    const has = (name: string): boolean => lines.some((line) => line.name.text === name)
    const token = inline ?? lines.find((line) => line.name.text === 'prefix')?.args[0]
    return { prefix: prefixOf(input, token), translatesAll: has('translate_all'), allowsIpv4: has('allow_ipv4') }
  },
  create: (config, ports) => ({
    handle(query, context) {
      const isWanted = config.allowsIpv4 || query.client.address.includes(':')
      if (!isWanted || query.type !== rrType.AAAA || query.class !== rrClass.IN) return context.next(query)
      return whenReady(context.next(query), (outcome) => {
        if (outcome.kind !== 'reply' || !isTranslated(config, outcome.reply)) return outcome
        const inner = askingFor(query, foldName(query.name), rrType.A)
        return whenReady(context.lookup(inner), (reply) => {
          if (reply === undefined) return failed(rcode.SERVFAIL, 'dns64: upstream returned no response')
          ports.metrics.add('coredns_dns64_requests_translated_total', [context.server.server])
          return replied(translate(config, query, outcome.reply, reply))
        })
      })
    },
  }),
})

function prefixOf(input: ConfigureInput, token: DirectiveToken | undefined): Cidr {
  const fallback = wellKnown
  if (fallback === undefined) throw new Error('the well-known prefix parses')
  if (token === undefined) return fallback
  const prefix = parseCidr(token.text)
  if (prefix === undefined) {
    input.failPlain(`invalid CIDR address: ${token.text}`)
    return fallback
  }
  if (prefix.family !== 6) {
    input.fail(`invalid netmask 32 IPv6 address: ${JSON.stringify(token.text)}`, token)
    return fallback
  }
  if (![32, 40, 48, 56, 64, 96].includes(prefix.bits)) {
    input.fail(`invalid prefix length ${JSON.stringify(token.text)}`, token)
  }
  return prefix
}

function isTranslated(config: Dns64Config, reply: Reply): boolean {
  if (reply.rcode === rcode.NXDOMAIN && reply.answer.length === 0) return false
  return config.translatesAll || !reply.answer.some((record) => record.type === rrType.AAAA)
}

function translate(config: Dns64Config, { edns }: Query, first: Reply, inner: Reply): Reply {
  const soa = [...first.authority].reverse().find((record) => record.type === rrType.SOA)
  const maxTtl = soa?.ttlSeconds ?? 600
  return {
    ...emptyReply,
    rcode: inner.rcode,
    truncated: inner.truncated,
    answer: inner.answer.map((record) => translateRecord(config.prefix, record, maxTtl)),
    authority: inner.authority,
    additional: inner.additional,
    // COMPAT: the inner reply had its OPT record already, so it counts as the reply's own.
    ...(edns === undefined
      ? {}
      : {
          ednsOptions: inner.ednsOptions ?? inner.repeatedOptions ?? [],
          saysDnssecOk: edns.dnssecOk || inner.saysDnssecOk === true,
        }),
    // What a plugin behind this one did to RD of the question shows in both replies (CoreDNS shares the message).
    ...(first.recursionDesired === undefined ? {} : { recursionDesired: first.recursionDesired }),
  }
}

function translateRecord(prefix: Cidr, record: DnsRecord, maxTtl: number): DnsRecord {
  if (record.type !== rrType.A || record.data.kind !== 'address') return record
  const ttlSeconds = Math.min(record.ttlSeconds, maxTtl)
  return {
    ...record,
    type: rrType.AAAA,
    ttlSeconds,
    data: { kind: 'address', address: embed(prefix, record.data.address) },
  }
}

/** RFC 6052 §2.2: bits 64 to 71 stay zero. */
function embed(prefix: Cidr, address: string): string {
  const ip = parseIp(address)
  if (ip === undefined || contains(prefix, ip)) return address
  let value = prefix.first
  for (let i = 0; i < 4; i++) {
    const octet = (ip.value >> BigInt(24 - 8 * i)) & 255n
    const position = prefix.bits === 96 ? 96 + 8 * i : prefix.bits + 8 * i + (prefix.bits + 8 * i >= 64 ? 8 : 0)
    value |= octet << BigInt(120 - position)
  }
  return ipOf(6, value).text
}
