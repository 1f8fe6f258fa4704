// Every record of a zone of external names, for transfers (CoreDNS plugin/k8s_external/transfer.go).

import { absoluteName, labelsOf, type Name } from '../name.ts'
import type { DnsRecord } from '../record.ts'
import type { ClusterService } from './cluster-objects.ts'
import {
  addressEntries,
  type ExternalEntry,
  type ExternalSource,
  endpointEntries,
  externalAddresses,
  externalAliases,
  externalServices,
} from './external-entries.ts'
import { recordFamily } from './go-ip.ts'

/** Records of all services with names in a zone; SOA and name servers are the caller's. */
export function listExternal(source: ExternalSource, zone: Name): readonly DnsRecord[] {
  const services = [...source.index.services()]
  const seen = new Set<Name>()
  return services.flatMap((service) => {
    const isOfEndpoints = source.hasHeadless && service.externalAddresses.length === 0 && service.kind === 'headless'
    return isOfEndpoints ? endpointListing(source, service, zone) : addressListing(source, service, zone, seen)
  })
}

/** COMPAT: of all SRV records with one owner only the first is listed. */
function addressListing(source: ExternalSource, service: ClusterService, zone: Name, seen: Set<Name>): DnsRecord[] {
  const once = (records: readonly DnsRecord[]): DnsRecord[] =>
    records.filter(({ name }) => !seen.has(name) && seen.add(name))
  return addressEntries(service, zone).flatMap(({ named, ...entry }) => {
    const base = addressesOf(source, [entry], entry.target)
    const services = once(externalServices(source, [entry], entry.target).answer)
    const full = `_${named.name}._${named.protocol}.`.toLowerCase() + entry.target
    const ports = once(externalServices(source, [{ ...entry, host: shortened(entry.host) }], full).answer)
    return [...base, ...services, ...ports]
  })
}

/** COMPAT: where a port is named, a host name loses its first two labels (CoreDNS msg.Service, TargetStrip). */
function shortened(host: string): string {
  const labels = recordFamily(host) === 'name' ? labelsOf(absoluteName(host)) : []
  return labels.length > 2 ? `${labels.slice(2).join('.')}.` : host
}

function endpointListing(source: ExternalSource, service: ClusterService, zone: Name): DnsRecord[] {
  const entries = endpointEntries(source, service, zone, () => true)
  const [first] = entries
  if (first === undefined) return []
  const base = first.target.slice(first.target.indexOf('.') + 1)
  const ports = new Map<Name, ExternalEntry[]>()
  for (const { named, target, port } of entries) {
    if (named.name === '') continue
    const owner = `_${named.name}._${named.protocol}.`.toLowerCase() + base
    ports.set(owner, [...(ports.get(owner) ?? []), { host: target, port, target }])
  }
  return [
    ...addressesOf(source, entries, base),
    ...externalServices(source, entries, base).answer,
    ...entries.flatMap((entry) => [
      ...addressesOf(source, [entry], entry.target),
      ...externalServices(source, [entry], entry.target).answer,
    ]),
    ...[...ports].flatMap(([owner, list]) => externalServices(source, list, owner).answer),
  ]
}

function addressesOf(source: ExternalSource, entries: readonly ExternalEntry[], owner: Name): DnsRecord[] {
  const aliases = externalAliases(source, entries, owner)
  return [
    ...aliases,
    ...externalAddresses(source, entries, owner, 'A'),
    ...externalAddresses(source, entries, owner, 'AAAA'),
  ]
}
