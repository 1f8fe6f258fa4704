// Formats of query log lines (CoreDNS plugin/pkg/replacer).

import { foldName } from '../name.ts'
import type { MetadataLabels } from '../plugin.ts'
import { type Query, replyLimit } from '../query.ts'
import { className, rcodeName, rrClass, typeName } from '../record-types.ts'
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

/** The format that `{combined}` stands for. */
export const combinedFormat: string = `${commonFormat} "{>opcode}"`

/** Fills a format. Values that are not there print `-`; fields nobody knows stay as they are. */
export function formatLogLine(format: string, facts: LogFacts): string {
  return format.replaceAll(/\{([^{}]*)\}/g, (whole, field: string) => {
    if (field.startsWith('/')) return facts.metadata.get(field.slice(1))?.() ?? '-'
    return fieldOf(field, facts) ?? whole
  })
}

function fieldOf(field: string, facts: LogFacts): string | undefined {
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
      // COMPAT: ANY is a type in the first place (miekg/dns Class.String).
      return query.class === rrClass.ANY ? 'CLASS255' : className(query.class)
    case 'name':
      return foldName(query.name)
    case 'proto':
      return query.transport === 'udp' ? 'udp' : 'tcp'
    case 'size':
      return String(query.sizeBytes)
    case 'rcode':
      return reply === undefined ? '-' : rcodeText(reply.rcode)
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
      return String(replyLimit(query))
    case '>rflags':
      return reply === undefined ? '-' : flagsOf(query, reply)
    default:
      return undefined
  }
}

/** COMPAT: codes without a name print as numbers. */
function rcodeText(code: number): string {
  return rcodeName(code).replace(/^RCODE/, '')
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
