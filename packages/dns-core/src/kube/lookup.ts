// One question in a cluster zone → records, NODATA or NXDOMAIN (CoreDNS plugin/kubernetes/handler.go and
// plugin/backend_lookup.go). Pure but for `lookup`, which asks the server again for names outside the zone.

import { absoluteName, foldName, isUnder, labelsOf, type Name } from '../name.ts'
import { type Eventually, whenReady } from '../outcome.ts'
import { askingFor, type Query } from '../query.ts'
import { addressRecord, type DnsRecord, nameRecord, srvRecord, textRecord } from '../record.ts'
import { rrType } from '../record-types.ts'
import type { Reply } from '../reply.ts'
import { noPort } from './cluster-objects.ts'
import { type Entry, type Found, missing, nothing } from './entries.ts'
import { nameServers } from './name-servers.ts'
import { podEntries } from './pod-records.ts'
import { parseRequestName } from './request-name.ts'
import { addressOfReverseName, reverseTargets } from './reverse.ts'
import { serviceEntries } from './service-records.ts'
import { soaRecord } from './soa.ts'
import type { ZoneIndex } from './zone-index.ts'
import { isExposed, isMulticlusterZone, isReverseName, type ZoneOptions } from './zone-options.ts'

/** What a lookup found: `refused` only for transfers, which do not belong here. */
export type LookupResult =
  | {
      readonly kind: 'records'
      readonly answer: readonly DnsRecord[]
      readonly additional: readonly DnsRecord[]
      readonly truncated: boolean
    }
  | { readonly kind: 'nodata' }
  | { readonly kind: 'nxdomain' }
  | { readonly kind: 'refused' }

/** A zone of the plugin together with everything a lookup reads. */
export interface ZoneLookup {
  readonly index: ZoneIndex
  readonly options: ZoneOptions
  readonly localAddresses: readonly string[]
  /** Folded zone that holds the question. */
  readonly zone: Name
  /** The same zone in the letters of the question. */
  readonly askedZone: Name
  /** Asks the whole server for a name outside the zone. */
  readonly lookup: (query: Query) => Eventually<Reply | undefined>
}

const nodata: LookupResult = { kind: 'nodata' }
const nxdomain: LookupResult = { kind: 'nxdomain' }

/** Version of the DNS specification that `dns-version` answers with, and its TTL in seconds. */
const schemaVersion = { text: '1.1.0', ttlSeconds: 28800 }

/** The CNAME records a chain may have before one more is skipped. */
const maxChain = 10

/** Looks a question up in the zone. */
export function lookupZone(at: ZoneLookup, query: Query): Eventually<LookupResult> {
  const name = foldName(query.name)
  switch (query.type) {
    case rrType.A:
    case rrType.AAAA:
      return addressAnswer(at, query, name)
    case rrType.SRV:
      return serviceAnswer(at, query, name)
    case rrType.CNAME:
      return aliasAnswer(at, query, name)
    case rrType.PTR:
      return reverseAnswer(at, query, name)
    case rrType.TXT:
      return textAnswer(at, query, name)
    case rrType.MX:
      return find(at, name).kind === 'missing' ? nxdomain : nodata
    case rrType.SOA:
      // COMPAT: below the apex always NODATA, also for names that do not exist.
      return name === at.zone ? answered([soaRecord(at.index, at.options, at.zone, query.name)]) : nodata
    case rrType.AXFR:
    case rrType.IXFR:
      return { kind: 'refused' }
    case rrType.NS:
      if (name === at.zone && at.askedZone === at.zone) return nameServerAnswer(at, query)
  }
  // COMPAT: a type we hold no records for is answered by asking for A first, so that an existing name gives NODATA
  // and an unknown one NXDOMAIN (CoreDNS plugin/kubernetes/handler.go).
  return whenReady(addressAnswer(at, askingFor(query, query.name, rrType.A), name), (result) =>
    result.kind === 'nxdomain' ? nxdomain : nodata,
  )
}

/** What a folded name in the zone stands for, types aside. */
function find(at: ZoneLookup, name: Name): Found {
  const { index, options, zone, askedZone } = at
  if (isDefaultNameServer(at, name)) {
    const entries = nameServers(index, options, askedZone, at.localAddresses).map(({ address }): Entry => {
      return { host: address, family: address.includes(':') ? 'AAAA' : 'A', port: noPort, target: name }
    })
    return { kind: 'entries', entries }
  }
  const request = parseRequestName(name, zone, {
    isMulticluster: isMulticlusterZone(options, zone),
    hasZonalNames: options.hasZonalNames,
  })
  if (request.kind === 'apex') return nothing
  if (request.kind === 'invalid' || isReverseName(name)) return missing
  if (!isExposed(index, options, request.namespace)) return missing
  switch (request.kind) {
    case 'namespace':
      return request.tree === 'pod' && options.podMode === 'disabled' ? missing : nothing
    case 'pod':
      return podEntries(index, options, request, askedZone)
    case 'service':
      return serviceEntries(index, options, request, zone, askedZone)
  }
}

function isDefaultNameServer(at: ZoneLookup, name: Name): boolean {
  // COMPAT: the zone has to be asked for in lower case (CoreDNS isDefaultNS compares letters).
  return at.askedZone === at.zone && name.startsWith('ns.dns.') && name.slice('ns.dns.'.length) === at.zone
}

function addressAnswer(at: ZoneLookup, query: Query, name: Name): Eventually<LookupResult> {
  const found = find(at, name)
  return found.kind === 'missing' ? nxdomain : whenReady(addressesOf(at, query, found.entries, []), chainResult)
}

interface Followed {
  readonly records: readonly DnsRecord[]
  readonly truncated: boolean
}

const notFollowed: Followed = { records: [], truncated: false }

function chainResult({ records, truncated }: Followed): LookupResult {
  return records.length === 0 ? nodata : { kind: 'records', answer: records, additional: [], truncated }
}

/** The addresses among entries, each once, and what the names among them lead to; endpoints can be names, too. */
function addressesOf(
  at: ZoneLookup,
  query: Query,
  entries: readonly Entry[],
  previous: readonly DnsRecord[],
): Eventually<Followed> {
  const wanted = query.type === rrType.A ? 'A' : 'AAAA'
  const hosts = new Set(entries.filter(({ family }) => family === wanted).map(({ host }) => host))
  const { ttlSeconds } = at.options
  const records = [...hosts].map((host) => addressOf(query.name, ttlSeconds, query.type, host))
  return entries
    .filter(({ family }) => family === 'name')
    .reduce<Eventually<Followed>>(
      (before, { host }) =>
        whenReady(before, (left) =>
          whenReady(followAlias(at, query, host, previous), (right) => ({
            records: [...left.records, ...right.records],
            truncated: left.truncated || right.truncated,
          })),
        ),
      { records, truncated: false },
    )
}

// The rules for chains, in the order of the reference, section 7.
function followAlias(at: ZoneLookup, query: Query, host: string, previous: readonly DnsRecord[]): Eventually<Followed> {
  const target = absoluteName(host)
  const record = nameRecord(query.name, rrType.CNAME, at.options.ttlSeconds, target)
  if (isUnder(foldName(query.name), foldName(target))) return notFollowed
  if (previous.length > maxChain) return notFollowed
  if (previous.some((r) => r.data.kind === 'name' && foldName(r.data.target) === foldName(target))) return notFollowed
  if (isUnder(at.zone, foldName(target))) return followInside(at, query, record, target, previous)
  return whenReady(at.lookup(askingFor(query, target)), (reply): Followed => {
    if (reply === undefined) return notFollowed
    return { records: [record, ...reply.answer], truncated: reply.truncated }
  })
}

function followInside(
  at: ZoneLookup,
  query: Query,
  record: DnsRecord,
  target: Name,
  previous: readonly DnsRecord[],
): Eventually<Followed> {
  const found = find(at, foldName(target))
  if (found.kind === 'missing') return notFollowed
  const rest = addressesOf(at, askingFor(query, target), found.entries, [...previous, record])
  return whenReady(rest, ({ records, truncated }): Followed => {
    return records.length === 0 ? { records: [], truncated } : { records: [record, ...records], truncated }
  })
}

function serviceAnswer(at: ZoneLookup, query: Query, name: Name): LookupResult {
  const found = find(at, name)
  if (found.kind === 'missing') return nxdomain
  const entries = found.entries.filter((entry) => entry.family !== 'name')
  // COMPAT: the weight counts entries before duplicates are removed, entries without a port included.
  const weight = Math.max(1, Math.floor(100 / entries.length))
  const { ttlSeconds } = at.options
  const records = new Map<string, DnsRecord>()
  const glue = new Map<string, DnsRecord>()
  for (const { host, family, port, target } of entries) {
    if (port === noPort) continue
    const key = `${target} ${port}`
    if (!records.has(key)) records.set(key, srvRecord(query.name, ttlSeconds, weight, port, target))
    const type = family === 'A' ? rrType.A : rrType.AAAA
    glue.set(`${target} ${host}`, addressOf(target, ttlSeconds, type, host))
  }
  return answered([...records.values()], [...glue.values()])
}

function aliasAnswer(at: ZoneLookup, query: Query, name: Name): LookupResult {
  const found = find(at, name)
  if (found.kind === 'missing') return nxdomain
  const [first] = found.entries
  if (first === undefined || first.family !== 'name') return nodata
  return answered([nameRecord(query.name, rrType.CNAME, at.options.ttlSeconds, absoluteName(first.host))])
}

function reverseAnswer(at: ZoneLookup, query: Query, name: Name): LookupResult {
  const address = addressOfReverseName(name)
  // COMPAT: the name server's own name does not exist for PTR (CoreDNS Reverse looks at records only).
  if (address === undefined && isDefaultNameServer(at, name)) return nxdomain
  if (address === undefined) return find(at, name).kind === 'missing' ? nxdomain : nodata
  const { ttlSeconds } = at.options
  const targets = reverseTargets(at.index, at.options, address)
  return targets.length === 0
    ? nxdomain
    : answered(targets.map((target) => nameRecord(query.name, rrType.PTR, ttlSeconds, target)))
}

function textAnswer(at: ZoneLookup, query: Query, name: Name): LookupResult {
  const labels = labelsOf(at.zone === '.' ? name : name.slice(0, name.length - at.zone.length))
  if (labels.length === 1 && labels[0] === 'dns-version') {
    return answered([textRecord(query.name, schemaVersion.ttlSeconds, [schemaVersion.text])])
  }
  if (isDefaultNameServer(at, name)) return nxdomain
  const found = find(at, name)
  if (found.kind === 'missing') return nxdomain
  // COMPAT: names that exist without records are NXDOMAIN for TXT, except zonal names.
  return found.entries.length > 0 || name.includes('._zone.') ? nodata : nxdomain
}

function nameServerAnswer(at: ZoneLookup, query: Query): LookupResult {
  const { ttlSeconds } = at.options
  const servers = nameServers(at.index, at.options, at.askedZone, at.localAddresses)
  const names = [...new Set(servers.map((server) => server.name))]
  return answered(
    names.map((target) => nameRecord(query.name, rrType.NS, ttlSeconds, target)),
    servers.map(({ name, address }) => addressRecord(name, ttlSeconds, address)),
  )
}

function answered(answer: readonly DnsRecord[], additional: readonly DnsRecord[] = []): LookupResult {
  return answer.length === 0 ? nodata : { kind: 'records', answer, additional, truncated: false }
}

function addressOf(name: Name, ttlSeconds: number, type: number, host: string): DnsRecord {
  return { name, type, class: 1, ttlSeconds, data: { kind: 'address', address: host } }
}
