// Question → answer from a zone file (RFC 1034 §4.3.2, RFC 4592, RFC 6672; CoreDNS plugin/file/lookup.go).
// DNSSEC records are returned only when asked for by type; we do not sign.

import { foldName, isUnder, labelsOf, type Name, parentName } from '../name.ts'
import { type Eventually, whenReady } from '../outcome.ts'
import { type DnsRecord, nameRecord, targetOf } from '../record.ts'
import { rcode, rrType } from '../record-types.ts'
import type { Reply } from '../reply.ts'
import { recordsOf, type ZoneData } from './zone-data.ts'

/** How a lookup ended. */
export type ZoneResultKind = 'success' | 'nodata' | 'nxdomain' | 'delegation' | 'servfail'

/** Records of a lookup by section. */
export interface ZoneResult {
  readonly kind: ZoneResultKind
  readonly answer: readonly DnsRecord[]
  readonly authority: readonly DnsRecord[]
  readonly additional: readonly DnsRecord[]
}

/** A zone with the way to names outside of it. */
export interface ZoneQuestion {
  readonly zone: ZoneData
  readonly type: number
  readonly external: (name: Name) => Eventually<Reply | undefined>
}

const failure: ZoneResult = { kind: 'servfail', answer: [], authority: [], additional: [] }

/** Looks a folded name up; names of the zone only. */
export function lookupZoneData(at: ZoneQuestion, name: Name): Eventually<ZoneResult> {
  const { zone, type } = at
  if (name === zone.origin) {
    if (type === rrType.SOA) return result('success', [zone.soa], zone.apexNs)
    if (type === rrType.NS) return result('success', zone.apexNs, [], glueOf(zone, zone.apexNs))
  }
  for (const ancestor of ancestorsOf(zone, name)) {
    const dname = recordsOf(zone, ancestor, rrType.DNAME)[0]
    if (dname !== undefined && ancestor !== name) return followDname(at, name, ancestor, dname)
    const cut = delegationAt(zone, ancestor, name, type)
    if (cut !== undefined) return cut
  }
  if (zone.records.has(name)) return answerOwner(at, name, name)
  if (zone.existing.has(name)) {
    // COMPAT: an empty name is a success without records, which falls through (CoreDNS plugin/file).
    return { kind: 'success', answer: [], authority: [zone.soa], additional: [] }
  }
  const wildcard = `*.${closestEncloser(zone, name)}`
  if (zone.records.has(wildcard)) return answerOwner(at, name, wildcard)
  if (zone.existing.has(wildcard)) return result('nodata', [], [zone.soa])
  return result('nxdomain', [], [zone.soa])
}

function answerOwner(at: ZoneQuestion, name: Name, owner: Name): Eventually<ZoneResult> {
  const { zone, type } = at
  const synthesize = (records: readonly DnsRecord[]): readonly DnsRecord[] =>
    owner === name ? records : records.map((record) => ({ ...record, name }))
  const alias = synthesize(recordsOf(zone, owner, rrType.CNAME))
  if (alias.length > 0 && type !== rrType.CNAME) return followAlias(at, alias)
  // COMPAT: ANY is a type like others and has no records (CoreDNS plugin/file).
  const found = synthesize(recordsOf(zone, owner, type))
  if (found.length === 0) return result('nodata', [], [zone.soa])
  return result('success', found, zone.apexNs, additionalOf(zone, found))
}

/** Follows an alias inside the zone, at most nine steps, then asks outside. */
function followAlias(at: ZoneQuestion, start: readonly DnsRecord[]): Eventually<ZoneResult> {
  const { zone, type } = at
  const answer = [...start]
  for (let steps = 0; ; steps++) {
    const last = answer[answer.length - 1]
    const target = last && targetOf(last)
    if (last === undefined || target === undefined) return failure
    const folded = foldName(target)
    if (steps === 0 ? false : folded === foldName(last.name)) return failure
    if (isUnder(zone.origin, folded)) {
      for (const ancestor of ancestorsOf(zone, folded)) {
        const cut = delegationAt(zone, ancestor, folded, type)
        if (cut !== undefined) return { ...cut, answer }
      }
    }
    const isApexQuestion = type === rrType.NS || (type === rrType.SOA && folded === zone.origin)
    if (!zone.records.has(folded) || isApexQuestion) return finishOutside(at, answer, target)
    const alias = recordsOf(zone, folded, rrType.CNAME)
    if (alias.length === 0) {
      answer.push(...recordsOf(zone, folded, type))
      return result('success', answer, zone.apexNs, additionalOf(zone, answer))
    }
    // COMPAT: an alias of itself is a failure (CoreDNS 1.15).
    if (alias.some((record) => foldName(targetOf(record) ?? '') === folded)) return failure
    answer.push(...alias)
    if (steps > 7) return result('success', answer, zone.apexNs, additionalOf(zone, answer))
  }
}

function finishOutside(at: ZoneQuestion, answer: readonly DnsRecord[], target: Name): Eventually<ZoneResult> {
  const { zone } = at
  return whenReady(at.external(target), (reply): ZoneResult => {
    const all = [...answer, ...(reply?.answer ?? [])]
    const kind = externalKind(reply)
    const authority = kind === 'nxdomain' || kind === 'nodata' ? [zone.soa] : zone.apexNs
    return { kind, answer: all, authority, additional: additionalOf(zone, all) }
  })
}

function externalKind(reply: Reply | undefined): ZoneResultKind {
  if (reply === undefined) return 'success'
  if (reply.rcode === rcode.NXDOMAIN) return 'nxdomain'
  if (reply.rcode === rcode.SERVFAIL) return 'servfail'
  return reply.rcode === rcode.NOERROR && reply.answer.length === 0 ? 'nodata' : 'success'
}

function followDname(at: ZoneQuestion, name: Name, owner: Name, dname: DnsRecord): Eventually<ZoneResult> {
  const target = targetOf(dname) ?? '.'
  const cnameTarget = `${name.slice(0, name.length - owner.length)}${target === '.' ? '' : target}`
  if (foldName(cnameTarget) === name) return failure
  const cname = nameRecord(name, rrType.CNAME, dname.ttlSeconds, cnameTarget)
  if (at.type === rrType.CNAME) return result('success', [dname, cname], at.zone.apexNs)
  return whenReady(followAlias(at, [cname]), (found) => ({ ...found, answer: [dname, ...found.answer] }))
}

/** A referral, when `ancestor` is a zone cut above or at `name`. */
function delegationAt(zone: ZoneData, ancestor: Name, name: Name, type: number): ZoneResult | undefined {
  if (ancestor === zone.origin) return undefined
  const servers = recordsOf(zone, ancestor, rrType.NS)
  if (servers.length === 0 || (type === rrType.DS && ancestor === name)) return undefined
  return { kind: 'delegation', answer: [], authority: servers, additional: glueOf(zone, servers) }
}

/** Names from below the apex down to `name` itself, those that have records. */
function ancestorsOf(zone: ZoneData, name: Name): Name[] {
  const names: Name[] = []
  for (let at = name; at !== zone.origin && isUnder(zone.origin, at) && at !== '.'; at = parentName(at)) {
    if (zone.records.has(at)) names.push(at)
  }
  if (zone.records.has(zone.origin)) names.push(zone.origin)
  return names.reverse()
}

function closestEncloser(zone: ZoneData, name: Name): Name {
  let at = parentName(name)
  while (!zone.existing.has(at) && labelsOf(at).length > labelsOf(zone.origin).length) at = parentName(at)
  return at
}

function glueOf(zone: ZoneData, servers: readonly DnsRecord[]): DnsRecord[] {
  return servers.flatMap((server) => addressesAt(zone, foldName(targetOf(server) ?? '')))
}

function additionalOf(zone: ZoneData, answer: readonly DnsRecord[]): DnsRecord[] {
  const targets = answer
    .filter((record) => record.type === rrType.SRV || record.type === rrType.MX)
    .map((record) => foldName(targetOf(record) ?? ''))
  return [...new Set(targets)].flatMap((target) => addressesAt(zone, target))
}

function addressesAt(zone: ZoneData, name: Name): readonly DnsRecord[] {
  return [...recordsOf(zone, name, rrType.A), ...recordsOf(zone, name, rrType.AAAA)]
}

function result(
  kind: ZoneResultKind,
  answer: readonly DnsRecord[],
  authority: readonly DnsRecord[],
  additional: readonly DnsRecord[] = [],
): ZoneResult {
  return { kind, answer, authority, additional }
}
