// Zone transfers of what the other plugins of the block hold (RFC 5936; CoreDNS plugin/transfer).

import type { Directive } from '../corefile/directive.ts'
import { parseGoIp } from '../kube/go-ip.ts'
import { foldName, longestZone, type Name } from '../name.ts'
import { failed, next, type Outcome, replied } from '../outcome.ts'
import { type ConfigureInput, definePlugin, type Plugin, type PluginDefinition, type Ports } from '../plugin.ts'
import type { Query } from '../query.ts'
import type { DnsRecord } from '../record.ts'
import { rcode, rrType } from '../record-types.ts'
import { authoritativeReply, emptyReply } from '../reply.ts'
import { writeRecord } from '../wire/write-record.ts'
import { zonesOrBlock } from './zone-arguments.ts'

interface TransferRule {
  readonly zones: readonly Name[]
  /** Addresses that may ask; `*` is everybody. */
  readonly to: readonly string[]
}

/** Bytes of records in one message, below the limit of TCP with room for header and question. */
const maxMessageBytes = 63_000

const many = Number.POSITIVE_INFINITY

export const transfer: PluginDefinition<readonly TransferRule[]> = definePlugin({
  name: 'transfer',
  unknownProperty: 'unknown property "%"',
  summary: 'Sends whole zones to those who may have them.',
  syntax: '[ZONES...]',
  args: { min: 0, max: many },
  properties: {
    to: { min: 1, max: many, syntax: 'ADDRESS...|*', summary: 'Who may ask.' },
    source: { min: 1, max: 1, syntax: 'ADDRESS', summary: 'Address that notifications come from.' },
  },
  configure: (input) => input.directives.map((directive) => configureRule(input, directive)),
  create: createTransfer,
})

function configureRule(input: ConfigureInput, directive: Directive): TransferRule {
  const to = (directive.block ?? []).filter((line) => line.name.text === 'to').flatMap((line) => line.args)
  if (to.length === 0) input.fail("'to' is required", directive.end)
  for (const { text } of to) {
    const host = /^\[(.*)\](?::[0-9]+)?$/.exec(text)?.[1] ?? text.replace(/^([0-9.]+):[0-9a-z]+$/, '$1')
    if (text !== '*' && parseGoIp(host) === undefined) input.failPlain(`must specify an IP address: \`${host}'`)
  }
  const source = (directive.block ?? []).find((line) => line.name.text === 'source')?.args[0]
  if (source !== undefined && parseGoIp(source.text) === undefined) {
    input.fail(`invalid source address ${JSON.stringify(source.text)}`, source)
  }
  return {
    zones: zonesOrBlock(input, directive.args),
    to: to.map(({ text }) => text.replace(/^\[(.*)\](?::[0-9]+)?$/, '$1').replace(/^([0-9.]+):[0-9]+$/, '$1')),
  }
}

function createTransfer(rules: readonly TransferRule[], ports: Ports): Plugin {
  let sources: readonly Plugin[] = []
  return {
    join(plugins) {
      sources = plugins.flatMap(({ plugin }) => (plugin.transfer === undefined ? [] : [plugin]))
    },
    handle(query) {
      if (query.type !== rrType.AXFR && query.type !== rrType.IXFR) return next
      if (query.transport === 'udp') return failed(rcode.REFUSED)
      const name = foldName(query.name)
      const rule = ruleFor(rules, name)
      if (rule === undefined) return next
      if (!rule.to.includes('*') && !rule.to.includes(query.client.address)) {
        return replied({ ...emptyReply, rcode: rcode.REFUSED })
      }
      if (query.type === rrType.IXFR && query.ixfrSerial === undefined) return failed(rcode.SERVFAIL)
      for (const source of sources) {
        const records = source.transfer?.(name)
        if (records !== undefined) return sendZone(records, query, ports, source.takesLaterSerials === true)
      }
      return next
    },
  }
}

function ruleFor(rules: readonly TransferRule[], name: Name): TransferRule | undefined {
  const zone = longestZone(
    rules.flatMap((rule) => rule.zones),
    name,
  )
  return rules.find((rule) => zone !== undefined && rule.zones.includes(zone))
}

function sendZone(records: readonly DnsRecord[], query: Query, ports: Ports, takesLaterSerials: boolean): Outcome {
  const [soa] = records
  if (soa?.data.kind !== 'soa') return failed(rcode.SERVFAIL, 'zone without SOA')
  const { serial } = soa.data
  const { ixfrSerial: held = 0 } = query
  // COMPAT: whoever holds serial 0 gets everything, also of a zone whose serial is 0.
  if (query.type === rrType.IXFR && held !== 0 && (held === serial || (takesLaterSerials && held > serial))) {
    ports.log(
      'info',
      `Outgoing noop, incremental transfer for up to date zone "${query.name}" to ${query.client.address} for ${serial} SOA serial`,
    )
    return replied({ ...emptyReply, answer: [soa] })
  }
  const all = [...records, soa]
  ports.log(
    'info',
    `Outgoing transfer of ${all.length} records of zone "${query.name}" to ${query.client.address} for ${serial} SOA serial`,
  )
  return { kind: 'stream', replies: batches(all).map((batch) => authoritativeReply(batch)) }
}

const scratch = new Uint8Array(65_535)

function batches(records: readonly DnsRecord[]): DnsRecord[][] {
  const out: DnsRecord[][] = []
  let batch: DnsRecord[] = []
  let bytes = 0
  for (const record of records) {
    const length = writeRecord({ bytes: scratch, limit: scratch.length, offsets: undefined }, 0, record)
    if (batch.length > 0 && bytes + length > maxMessageBytes) {
      out.push(batch)
      batch = []
      bytes = 0
    }
    batch.push(record)
    bytes += length
  }
  return [...out, batch]
}
