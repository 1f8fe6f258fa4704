// Formats of query log lines (CoreDNS plugin/pkg/replacer).

import type { MetadataLabels } from '../plugin.ts'
import type { Query } from '../query.ts'
import { className, rcodeName, typeName } from '../record-types.ts'
import type { Reply } from '../reply.ts'

/** What a line is made of. `reply` is absent when nothing was sent. */
export interface LogFacts {
  readonly query: Query
  readonly reply: Reply | undefined
  readonly replyBytes: number
  readonly durationMs: number
  readonly metadata: MetadataLabels
}

/** The default format and its name `{common}`. */
export const commonFormat =
  '{remote}:{port} - {>id} "{type} {class} {name} {proto} {size} {>do} {>bufsize}" {rcode} {>rflags} {rsize} {duration}'

/** Fills a format; unknown fields and values print `-`. */
export function formatLogLine(format: string, facts: LogFacts): string {
  return format
    .replaceAll('{common}', commonFormat)
    .replaceAll('{combined}', `${commonFormat} "{>opcode}"`)
    .replaceAll(/\{(>?[a-z]+|\/[^{}]+)\}/g, (_whole, field: string) => fieldOf(field, facts) || '-')
}

function fieldOf(field: string, facts: LogFacts): string {
  const { query, reply } = facts
  switch (field) {
    case 'remote':
      return bracketed(query.client.address)
    case 'port':
      return String(query.client.port)
    case 'local':
      return bracketed(query.local.address)
    case 'type':
      return typeName(query.type)
    case 'class':
      return className(query.class)
    case 'name':
      return query.name
    case 'proto':
      return query.transport === 'udp' ? 'udp' : 'tcp'
    case 'size':
      return String(query.sizeBytes)
    case 'rcode':
      return reply === undefined ? '' : rcodeName(reply.rcode)
    case 'rsize':
      return String(facts.replyBytes)
    case 'duration':
      return `${trimmed(facts.durationMs / 1000)}s`
    case '>id':
      return String(query.id)
    case '>opcode':
      return String(query.opcode)
    case '>do':
      return String(query.edns?.dnssecOk ?? false)
    case '>bufsize':
      return String(query.edns?.udpSize ?? 512)
    case '>rflags':
      return reply === undefined ? '' : flagsOf(query, reply)
    default:
      return field.startsWith('/') ? (facts.metadata.get(field.slice(1))?.() ?? '') : ''
  }
}

function flagsOf(query: Query, reply: Reply): string {
  const flags: readonly (readonly [string, boolean])[] = [
    ['qr', true],
    ['aa', reply.authoritative],
    ['tc', reply.truncated],
    ['rd', reply.recursionDesired ?? query.recursionDesired],
    ['ra', reply.recursionAvailable],
    ['ad', reply.authenticData],
    ['cd', query.checkingDisabled],
  ]
  return flags.flatMap(([name, isSet]) => (isSet ? [name] : [])).join(',')
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address
}

function trimmed(seconds: number): string {
  return seconds.toFixed(9).replace(/\.?0+$/, '')
}
