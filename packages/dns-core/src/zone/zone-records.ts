// Zone file text → its records in order, directives followed: `$ORIGIN`, `$TTL`, `$INCLUDE` (files come through a
// function) and `$GENERATE` (RFC 1035 §5.1, RFC 2308 §4; defaults and messages of miekg/dns scan.go).

import { foldName, type Name } from '../name.ts'
import type { DnsRecord } from '../record.ts'
import { generateLines } from './generate.ts'
import { absolute, parseRecordLine, parseTtl } from './parse-record.ts'
import { splitZoneText, type ZoneLine } from './words.ts'

/** Records of a file, or the message of what is wrong with it. */
export type ZoneRecords = { readonly records: readonly DnsRecord[] } | { readonly error: string }

/** Text of an included file by its path; `undefined` when it cannot be read. */
export type ReadZoneFile = (path: string) => string | undefined

/** Where a text begins. */
interface Start {
  readonly fileName: string
  readonly origin: Name
  readonly ttlSeconds: number | undefined
  /** Files around this one. */
  readonly depth: number
}

/** Includes inside includes, at most (miekg/dns). */
const maxDepth = 7

/** COMPAT: generated records do not see the `$TTL` of their file (miekg/dns generate.go). */
const generatedTtl = 3600

/** Reads all records of a zone file. */
export function readZoneRecords(text: string, fileName: string, origin: Name, read: ReadZoneFile): ZoneRecords {
  return readText(text, { fileName, origin, ttlSeconds: undefined, depth: 0 }, read)
}

function readText(text: string, start: Start, read: ReadZoneFile): ZoneRecords {
  const { fileName } = start
  let { origin, ttlSeconds } = start
  let hasTtlDirective = false
  let owner = origin
  const records: DnsRecord[] = []
  for (const line of splitZoneText(text)) {
    const { words, isIndented } = line
    const second = words[1]
    const fail = (what: string, word = second): ZoneRecords => {
      const place = word?.place ?? words[words.length - 1]?.place ?? `${line.line}:0`
      return { error: `${fileName}: dns: ${what}: ${JSON.stringify(word?.text ?? '')} at line: ${place}` }
    }
    switch (words[0]?.text) {
      case '$ORIGIN': {
        const name = second === undefined ? undefined : absolute(second.text, origin)
        if (name === undefined) return fail('bad origin name')
        origin = foldName(name)
        continue
      }
      case '$TTL': {
        ttlSeconds = parseTtl(second?.text ?? '')
        if (ttlSeconds === undefined) return fail('expecting $TTL value, not this...')
        hasTtlDirective = true
        continue
      }
      case '$INCLUDE':
      case '$GENERATE': {
        const inner =
          words[0].text === '$INCLUDE'
            ? includedRecords(line, { ...start, origin, ttlSeconds }, read)
            : generatedRecords(line, { ...start, origin }, read)
        if ('failure' in inner) return fail(inner.failure)
        if ('error' in inner) return inner
        records.push(...inner.records)
        continue
      }
    }
    const parsed = parseRecordLine(words, isIndented, { origin, owner, ttlSeconds })
    if ('error' in parsed) return { error: `${fileName}: dns: ${parsed.error} at line: ${parsed.place}` }
    owner = parsed.record.name
    // A TTL of a record stands for later records without one, unless a directive has said so.
    if (!hasTtlDirective) ttlSeconds = parsed.record.ttlSeconds
    records.push(parsed.record)
  }
  return { records }
}

function includedRecords({ words }: ZoneLine, start: Start, read: ReadZoneFile): ZoneRecords | { failure: string } {
  const [, target, origin] = words.map((word) => word.text)
  if (target === undefined) return { failure: 'expecting $INCLUDE value, not this...' }
  const name = origin === undefined ? start.origin : absolute(origin, start.origin)
  if (name === undefined) return { failure: 'bad origin name' }
  if (start.depth >= maxDepth) return { failure: 'too deeply nested $INCLUDE' }
  const folder = start.fileName.includes('/') ? start.fileName.slice(0, start.fileName.lastIndexOf('/') + 1) : ''
  const path = target.startsWith('/') ? target : `${folder}${target}`
  const text = read(path)
  if (text === undefined) return { failure: `failed to open \`${target}': open ${path}: no such file or directory` }
  return readText(text, { ...start, fileName: path, origin: foldName(name), depth: start.depth + 1 }, read)
}

function generatedRecords({ words }: ZoneLine, start: Start, read: ReadZoneFile): ZoneRecords | { failure: string } {
  const template = words.slice(2).map(({ text, isQuoted }) => (isQuoted ? `"${text}"` : text))
  const generated = generateLines(words[1]?.text ?? '', template.join(' '))
  if ('error' in generated) return { failure: generated.error }
  return readText(generated.lines.join('\n'), { ...start, ttlSeconds: generatedTtl }, read)
}
