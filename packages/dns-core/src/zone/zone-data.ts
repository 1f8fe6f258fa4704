// A zone from a file: records by folded name, with the empty names between them and the signatures of its apex.

import { compareNames, foldName, isUnder, type Name, parentName } from '../name.ts'
import type { DnsRecord } from '../record.ts'
import { rrType } from '../record-types.ts'
import { type ReadZoneFile, readZoneRecords } from './zone-records.ts'

/** Records of one zone. */
export interface ZoneData {
  readonly origin: Name
  readonly soa: DnsRecord
  readonly soaSignatures: readonly DnsRecord[]
  readonly apexNs: readonly DnsRecord[]
  readonly apexNsSignatures: readonly DnsRecord[]
  /** Records by folded owner, those above left out; owners without records of their own are absent. */
  readonly records: ReadonlyMap<Name, readonly DnsRecord[]>
  /** Folded names that exist, empty non-terminals included. */
  readonly existing: ReadonlySet<Name>
  /** Owners with records in canonical order (RFC 4034 §6.1), for proofs that a name does not exist. */
  readonly order: readonly Name[]
}

/** A zone, or why the file is none. */
export type ParsedZone = { readonly zone: ZoneData } | { readonly error: string }

/** Reads a zone file; `read` gives the texts of included files. */
export function parseZoneFile(
  text: string,
  fileName: string,
  zoneName: Name,
  read: ReadZoneFile = () => undefined,
): ParsedZone {
  const parsed = readZoneRecords(text, fileName, zoneName, read)
  if ('error' in parsed) {
    return { error: `failed to parse file "${fileName}" for origin ${zoneName} with error ${parsed.error}` }
  }
  for (const { name, type } of parsed.records) {
    if (type === rrType.SOA && foldName(name) !== zoneName) {
      return { error: `file "${fileName}" has SOA owner ${name} that does not match origin ${zoneName}` }
    }
    if (type === rrType.NSEC3 || type === rrType.NSEC3PARAM) {
      return { error: `NSEC3 zone is not supported, dropping RR: ${foldName(name)} for zone: ${zoneName}` }
    }
  }
  const soa = parsed.records.filter((record) => record.type === rrType.SOA).pop()
  if (soa === undefined) return { error: `file "${fileName}" has no SOA record for origin ${zoneName}` }
  // Records of other zones are read and never found.
  const own = parsed.records.filter((record) => isUnder(zoneName, foldName(record.name)))
  return { zone: zoneOf(zoneName, folded(soa), own.map(folded)) }
}

/** The zone that these records make. */
function zoneOf(origin: Name, soa: DnsRecord, list: readonly DnsRecord[]): ZoneData {
  const records = new Map<Name, DnsRecord[]>()
  const existing = new Set<Name>([origin])
  const apexNs: DnsRecord[] = []
  const soaSignatures: DnsRecord[] = []
  const apexNsSignatures: DnsRecord[] = []
  for (const record of list) {
    const name = foldName(record.name)
    const covered = coveredType(record)
    // COMPAT: the apex has these apart, so without others it counts as an empty name (CoreDNS plugin/file).
    if (record.type === rrType.SOA) continue
    if (covered === rrType.SOA) soaSignatures.push(record)
    else if (name === origin && record.type === rrType.NS) apexNs.push(record)
    else if (name === origin && covered === rrType.NS) apexNsSignatures.push(record)
    else {
      const same = records.get(name)
      if (same === undefined) records.set(name, [record])
      else same.push(record)
      for (let at = name; isUnder(origin, at) && at !== origin; at = parentName(at)) existing.add(at)
    }
  }
  const order = [...records.keys()].sort(compareNames)
  return { origin, soa, soaSignatures, apexNs, apexNsSignatures, records, existing, order }
}

/** COMPAT: owners and the names in some data lose their letter case, those of SRV records keep it (CoreDNS file/zone.go). */
function folded(record: DnsRecord): DnsRecord {
  const { type, data } = record
  if (type === rrType.SRV) return record
  const named = { ...record, name: foldName(record.name) }
  if (data.kind === 'soa') {
    return { ...named, data: { ...data, mname: foldName(data.mname), rname: foldName(data.rname) } }
  }
  const isFolded = type === rrType.NS || type === rrType.CNAME || type === rrType.MX
  return isFolded && 'target' in data ? { ...named, data: { ...data, target: foldName(data.target) } } : named
}

/** The type that a signature is for; `undefined` for other records. */
function coveredType({ type, data }: DnsRecord): number | undefined {
  if (type !== rrType.RRSIG || data.kind !== 'opaque') return undefined
  const [high = 0, low = 0] = data.bytes
  return high * 256 + low
}

/** Records of one owner and type. */
export function recordsOf(zone: ZoneData, name: Name, type: number): readonly DnsRecord[] {
  return (zone.records.get(name) ?? []).filter((record) => record.type === type)
}

/** Signatures of the records of one owner and type. */
export function signaturesOf(zone: ZoneData, name: Name, type: number): readonly DnsRecord[] {
  return (zone.records.get(name) ?? []).filter((record) => coveredType(record) === type)
}

/** The last owner that does not come after a name in canonical order. */
export function ownerBefore({ order }: ZoneData, name: Name): Name | undefined {
  let [low, high] = [0, order.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareNames(order[middle] ?? '', name) <= 0) low = middle + 1
    else high = middle
  }
  return order[low - 1]
}

/** The serial of a zone. */
export function zoneSerial({ soa }: ZoneData): number {
  return soa.data.kind === 'soa' ? soa.data.serial : 0
}
