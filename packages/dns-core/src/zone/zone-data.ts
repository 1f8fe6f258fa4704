// A zone from a file: records by folded name, with the empty names between them.

import { foldName, isUnder, type Name, parentName } from '../name.ts'
import type { DnsRecord } from '../record.ts'
import { rrType } from '../record-types.ts'
import { absolute, parseRecordLine, parseTtl } from './parse-record.ts'
import { splitZoneText } from './words.ts'

/** Records of one zone. */
export interface ZoneData {
  readonly origin: Name
  readonly soa: DnsRecord
  readonly apexNs: readonly DnsRecord[]
  /** Records by folded owner, SOA and NS of the apex left out; owners without records of their own are absent. */
  readonly records: ReadonlyMap<Name, readonly DnsRecord[]>
  /** Folded names that exist, empty non-terminals included. */
  readonly existing: ReadonlySet<Name>
}

/** A zone, or why the file is none. */
export type ParsedZone = { readonly zone: ZoneData } | { readonly error: string }

/** Reads a zone file. `$ORIGIN` and `$TTL` are known; `$INCLUDE` and `$GENERATE` are refused by name. */
export function parseZoneFile(text: string, fileName: string, zoneName: Name): ParsedZone {
  let origin = zoneName
  let owner = zoneName
  let defaultTtl: number | undefined
  const list: DnsRecord[] = []
  for (const { line, isIndented, words } of splitZoneText(text)) {
    const [first, second] = words.map((word) => word.text)
    const fail = (why: string): ParsedZone => ({
      error: `failed to parse file "${fileName}" for origin ${zoneName} with error ${fileName}: dns: ${why} at line: ${line}`,
    })
    if (first === '$ORIGIN') origin = foldName(absolute(second ?? '', origin) ?? origin)
    else if (first === '$TTL') {
      defaultTtl = parseTtl(second ?? '')
      if (defaultTtl === undefined) return fail(`expecting $TTL value, not this...: ${JSON.stringify(second ?? '')}`)
    } else if (first?.startsWith('$')) return fail(`${first} is not supported`)
    else {
      const ttlSeconds = defaultTtl ?? list[list.length - 1]?.ttlSeconds
      const parsed = parseRecordLine(words, isIndented, { origin, owner, ttlSeconds })
      if ('error' in parsed) return fail(parsed.error)
      owner = parsed.record.name
      if (!isUnder(zoneName, foldName(owner))) return fail(`${owner} is outside of zone ${zoneName}`)
      if (parsed.record.type === rrType.SOA && foldName(owner) !== zoneName) {
        return { error: `file "${fileName}" has SOA owner ${owner} that does not match origin ${zoneName}` }
      }
      if (parsed.record.type === rrType.NSEC3 || parsed.record.type === rrType.NSEC3PARAM) {
        return { error: `NSEC3 zone is not supported, dropping RR: ${owner} for zone: ${zoneName}` }
      }
      list.push({ ...parsed.record, name: foldName(owner) })
    }
  }
  const soa = list.find((record) => record.type === rrType.SOA)
  if (soa === undefined) return { error: `file "${fileName}" has no SOA record for origin ${zoneName}` }
  return { zone: zoneOf(zoneName, soa, list) }
}

/** The zone that these records make. */
function zoneOf(origin: Name, soa: DnsRecord, list: readonly DnsRecord[]): ZoneData {
  const records = new Map<Name, DnsRecord[]>()
  const existing = new Set<Name>([origin])
  const apexNs: DnsRecord[] = []
  for (const record of list) {
    // COMPAT: the apex has these two apart, so without others it counts as an empty name (CoreDNS plugin/file).
    if (record.name === origin && record.type === rrType.SOA) continue
    if (record.name === origin && record.type === rrType.NS) {
      apexNs.push(record)
      continue
    }
    const same = records.get(record.name)
    if (same === undefined) records.set(record.name, [record])
    else same.push(record)
    for (let name = record.name; isUnder(origin, name) && name !== origin; name = parentName(name)) existing.add(name)
  }
  return { origin, soa, apexNs, records, existing }
}

/** Records of one owner and type. */
export function recordsOf(zone: ZoneData, name: Name, type: number): readonly DnsRecord[] {
  return (zone.records.get(name) ?? []).filter((record) => record.type === type)
}
