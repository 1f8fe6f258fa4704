// Question → answer from a zone file (RFC 1034 §4.3.2, RFC 4592, RFC 6672; CoreDNS plugin/file/lookup.go). Signatures and
// denials of a signed zone are added when the DO bit asks for them (RFC 4035 §3.1); we do not sign ourselves.

import { foldName, isUnder, labelsOf, type Name, parentName } from '../name.ts'
import { type Eventually, whenReady } from '../outcome.ts'
import { type DnsRecord, nameRecord, targetOf } from '../record.ts'
import { rcode, rrType } from '../record-types.ts'
import type { Reply } from '../reply.ts'
import { readName } from '../wire/reader.ts'
import { ownerBefore, recordsOf, signaturesOf, type ZoneData } from './zone-data.ts'

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
  readonly dnssecOk: boolean
  readonly external: (name: Name) => Eventually<Reply | undefined>
}

const failure: ZoneResult = { kind: 'servfail', answer: [], authority: [], additional: [] }

/** Looks a folded name up; names of the zone only. */
export function lookupZoneData(at: ZoneQuestion, name: Name): Eventually<ZoneResult> {
  const { zone, type } = at
  if (name === zone.origin) {
    if (type === rrType.SOA) return result('success', soaOf(at), nsOf(at))
    if (type === rrType.NS) return result('success', nsOf(at), [], glueOf(at, zone.apexNs))
  }
  for (const ancestor of ancestorsOf(zone, name)) {
    const dname = recordsOf(zone, ancestor, rrType.DNAME)[0]
    if (dname !== undefined && ancestor !== name) return followDname(at, name, ancestor, dname)
    const cut = delegationAt(at, ancestor, name)
    if (cut !== undefined) return cut
  }
  if (zone.records.has(name)) return answerOwner(at, name, name)
  // COMPAT: a wildcard beside an empty name answers for it, against RFC 4592 §2.2.2 (CoreDNS plugin/file).
  const wildcard = `*.${closestEncloser(zone, name)}`
  if (zone.records.has(wildcard)) return answerOwner(at, name, wildcard)
  if (zone.existing.has(wildcard)) return result('nodata', [], soaOf(at))
  // COMPAT: an empty name is a success without records, which falls through.
  if (zone.existing.has(name)) return result('success', [], [...soaOf(at), ...denialOf(at, name)])
  return result('nxdomain', [], [...soaOf(at), ...denialOfName(at, name)])
}

function answerOwner(at: ZoneQuestion, name: Name, owner: Name): Eventually<ZoneResult> {
  const { zone, type } = at
  const synthesize = (records: readonly DnsRecord[]): readonly DnsRecord[] =>
    owner === name ? records : records.map((record) => ({ ...record, name }))
  const [alias] = synthesize(recordsOf(zone, owner, rrType.CNAME))
  // COMPAT: signatures of an alias from a wildcard keep the wildcard as their owner (CoreDNS plugin/file).
  if (alias !== undefined && type !== rrType.CNAME) return followAlias(at, owner, alias)
  // COMPAT: ANY is a type like others and has no records (CoreDNS plugin/file).
  const found = synthesize(recordsOf(zone, owner, type))
  if (found.length === 0) return result('nodata', [], [...soaOf(at), ...signed(at, owner, rrType.NSEC, 'only signed')])
  const signatures = at.dnssecOk ? synthesize(signaturesOf(zone, owner, type)) : []
  // A wildcard answer proves that no nearer name is there (RFC 4035 §3.1.3.3).
  const denial = owner === name ? [] : denialOf(at, name)
  return result('success', [...found, ...signatures], [...nsOf(at), ...denial], additionalOf(at, found))
}

/** Follows an alias inside the zone, at most nine steps, then asks outside. */
function followAlias(at: ZoneQuestion, owner: Name, alias: DnsRecord): Eventually<ZoneResult> {
  const { zone, type } = at
  const answer = [alias, ...(at.dnssecOk ? signaturesOf(zone, owner, rrType.CNAME) : [])]
  let target = targetOf(alias) ?? '.'
  for (let steps = 0; ; steps++) {
    const folded = foldName(target)
    if (isUnder(zone.origin, folded)) {
      for (const ancestor of ancestorsOf(zone, folded)) {
        const cut = delegationAt(at, ancestor, folded)
        if (cut !== undefined) return { ...cut, answer }
      }
    }
    const isApexQuestion = type === rrType.NS || (type === rrType.SOA && folded === zone.origin)
    if (!zone.records.has(folded) || isApexQuestion) return finishOutside(at, answer, target)
    const next = recordsOf(zone, folded, rrType.CNAME)
    if (next.length === 0) {
      answer.push(...signed(at, folded, type))
      return result('success', answer, nsOf(at), additionalOf(at, answer))
    }
    // COMPAT: an alias of itself is a failure (CoreDNS 1.15).
    if (next.some((record) => foldName(targetOf(record) ?? '') === folded)) return failure
    answer.push(...signed(at, folded, rrType.CNAME))
    target = (next[0] && targetOf(next[0])) ?? '.'
    if (steps > 7) return result('success', answer, nsOf(at), additionalOf(at, answer))
  }
}

function finishOutside(at: ZoneQuestion, answer: readonly DnsRecord[], target: Name): Eventually<ZoneResult> {
  return whenReady(at.external(target), (reply): ZoneResult => {
    const all = [...answer, ...(reply?.answer ?? [])]
    const kind = externalKind(reply)
    const authority = kind === 'nxdomain' || kind === 'nodata' ? soaOf(at) : nsOf(at)
    return { kind, answer: all, authority, additional: additionalOf(at, all) }
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
  const own = [dname, ...(at.dnssecOk ? signaturesOf(at.zone, owner, rrType.DNAME) : [])]
  if (at.type === rrType.CNAME) return result('success', [...own, cname], nsOf(at))
  return whenReady(followAlias(at, owner, cname), (found) => ({ ...found, answer: [...own, ...found.answer] }))
}

/** A referral, when `ancestor` is a zone cut above or at `name`. */
function delegationAt(at: ZoneQuestion, ancestor: Name, name: Name): ZoneResult | undefined {
  if (ancestor === at.zone.origin) return undefined
  const servers = recordsOf(at.zone, ancestor, rrType.NS)
  if (servers.length === 0 || (at.type === rrType.DS && ancestor === name)) return undefined
  const authority = [...servers, ...signed(at, ancestor, rrType.DS, 'only signed')]
  return { kind: 'delegation', answer: [], authority, additional: glueOf(at, servers) }
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

/** Records of one owner and type with their signatures; with `only signed` nothing unless the DO bit is set. */
function signed(at: ZoneQuestion, owner: Name, type: number, when?: 'only signed'): readonly DnsRecord[] {
  if (!at.dnssecOk) return when === undefined ? recordsOf(at.zone, owner, type) : []
  return [...recordsOf(at.zone, owner, type), ...signaturesOf(at.zone, owner, type)]
}

/** The NSEC record before a name, which proves that the name is not there. */
function denialOf(at: ZoneQuestion, name: Name): readonly DnsRecord[] {
  const before = at.dnssecOk ? ownerBefore(at.zone, name) : undefined
  return before === undefined ? [] : signed(at, before, rrType.NSEC)
}

/** Proof that neither a name nor a wildcard for it is there (RFC 4035 §3.1.3.2). */
function denialOfName(at: ZoneQuestion, name: Name): readonly DnsRecord[] {
  const before = ownerBefore(at.zone, name)
  if (!at.dnssecOk || before === undefined) return []
  const above = ownerAbove(at.zone, name)
  const wildcard = above === undefined ? undefined : ownerBefore(at.zone, `*.${above}`)
  const ofWildcard = wildcard === undefined || wildcard === before ? [] : signed(at, wildcard, rrType.NSEC)
  return [...signed(at, before, rrType.NSEC), ...ofWildcard]
}

/** The nearest ancestor that has records. */
function ownerAbove(zone: ZoneData, name: Name): Name | undefined {
  let at = name
  while (at !== zone.origin && !zone.records.has(at)) at = parentName(at)
  return zone.records.has(at) ? at : undefined
}

function soaOf({ zone, dnssecOk }: ZoneQuestion): readonly DnsRecord[] {
  return dnssecOk ? [zone.soa, ...zone.soaSignatures] : [zone.soa]
}

function nsOf({ zone, dnssecOk }: ZoneQuestion): readonly DnsRecord[] {
  return dnssecOk ? [...zone.apexNs, ...zone.apexNsSignatures] : zone.apexNs
}

/** COMPAT: only name servers below the cut have glue (CoreDNS plugin/file/tree/glue.go). */
function glueOf(at: ZoneQuestion, servers: readonly DnsRecord[]): DnsRecord[] {
  return servers.flatMap((server) => {
    const target = foldName(targetOf(server) ?? '')
    return isUnder(foldName(server.name), target) ? addressesAt(at, target) : []
  })
}

function additionalOf(at: ZoneQuestion, answer: readonly DnsRecord[]): DnsRecord[] {
  const targets = answer.flatMap((record) => {
    const target = foldName(additionalTarget(record) ?? '')
    return target !== '' && isUnder(at.zone.origin, target) ? [target] : []
  })
  return [...new Set(targets)].flatMap((target) => addressesAt(at, target))
}

/** The name of a record whose addresses belong into the additional section. */
function additionalTarget(record: DnsRecord): Name | undefined {
  const { type, data } = record
  if (type === rrType.SRV || type === rrType.MX) return targetOf(record)
  const isBinding = type === rrType.SVCB || type === rrType.HTTPS
  return isBinding && data.kind === 'opaque' ? readName(data.bytes, 2)?.name : undefined
}

function addressesAt(at: ZoneQuestion, name: Name): DnsRecord[] {
  return [...signed(at, name, rrType.A), ...signed(at, name, rrType.AAAA)]
}

function result(
  kind: ZoneResultKind,
  answer: readonly DnsRecord[],
  authority: readonly DnsRecord[],
  additional: readonly DnsRecord[] = [],
): ZoneResult {
  return { kind, answer, authority, additional }
}
