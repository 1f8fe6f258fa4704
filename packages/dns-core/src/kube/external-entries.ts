// Names of services with external addresses → hosts and ports, for the plugin k8s_external (CoreDNS
// plugin/kubernetes/external.go).

import { absoluteName, joinName, labelsOf, type Name } from '../name.ts'
import { addressRecord, type DnsRecord, nameRecord, srvRecord } from '../record.ts'
import { rrType } from '../record-types.ts'
import { type ClusterService, type NamedPort, noPort } from './cluster-objects.ts'
import { endpointName } from './endpoint-name.ts'
import { recordFamily } from './go-ip.ts'
import type { ZoneIndex } from './zone-index.ts'
import { isExposed, type ZoneOptions } from './zone-options.ts'

/** One host behind one port. */
export interface ExternalEntry {
  /** An address or, of a load balancer, a host name. */
  readonly host: string
  readonly port: number
  /** The name that SRV records for an address point at. */
  readonly target: Name
}

/** What names are looked up in. */
export interface ExternalSource {
  readonly index: ZoneIndex
  readonly options: ZoneOptions
  readonly hasHeadless: boolean
  /** TTL of address records in seconds. COMPAT: others have that of the kubernetes plugin. */
  readonly ttlSeconds: number
}

/** Entries of `[ENDPOINT.|_PORT._PROTO.]SVC.NS` in a zone; `undefined` when the name does not exist. */
export function externalEntries(source: ExternalSource, name: Name, zone: Name): readonly ExternalEntry[] | undefined {
  const { index, options } = source
  const labels = labelsOf(name.slice(0, name.length - zone.length))
  const [namespace = '', serviceName, first, second, tooLong] = [...labels].reverse()
  if (!isExposed(index, options, namespace)) return undefined
  if (serviceName === undefined) return []
  const service = index.service(namespace, serviceName)
  if (service === undefined || tooLong !== undefined) return undefined
  const plain = (label: string | undefined): string => (label ?? '').replace(/^_/, '')
  const [endpoint, protocol, port] = second === undefined ? [plain(first), '', ''] : ['', plain(first), plain(second)]
  const fits = (one: NamedPort): boolean =>
    (port === '' || port === one.name.toLowerCase()) && (protocol === '' || protocol === one.protocol.toLowerCase())
  const isOfEndpoints = service.externalAddresses.length === 0 && (service.kind === 'headless' || endpoint !== '')
  const entries =
    source.hasHeadless && isOfEndpoints
      ? endpointEntries(source, service, zone, fits).filter(({ label }) => endpoint === '' || label === endpoint)
      : addressEntries(service, zone).filter(({ named }) => fits(named))
  return entries.length === 0 ? undefined : entries
}

/** An entry for every external address and port of a service. */
export function addressEntries(
  service: ClusterService,
  zone: Name,
): readonly (ExternalEntry & { readonly named: NamedPort })[] {
  const target = joinName(`${service.name}.${service.namespace}`, zone)
  return service.externalAddresses.flatMap((host) =>
    service.ports.map((named) => ({ host, port: named.port, target, named })),
  )
}

/** An entry for every ready endpoint and port of a service; `label` is the endpoint's name, folded. */
export function endpointEntries(
  { index, options }: ExternalSource,
  service: ClusterService,
  zone: Name,
  fits: (port: NamedPort) => boolean,
): readonly (ExternalEntry & { readonly label: string; readonly named: NamedPort })[] {
  const base = joinName(`${service.name}.${service.namespace}`, zone)
  return [...index.slices(service.namespace, service.name)].flatMap((slice) =>
    slice.addresses.flatMap((address) => {
      const name = endpointName(address, options.usesPodNames)
      const target = `${name}.${base}`
      const ports = slice.ports.filter(fits)
      return ports.map((named) => ({
        host: address.address,
        port: named.port,
        target,
        label: name.toLowerCase(),
        named,
      }))
    }),
  )
}

/** Address records of entries in one family, each address once. */
export function externalAddresses(
  source: ExternalSource,
  entries: readonly ExternalEntry[],
  owner: Name,
  family: 'A' | 'AAAA',
): readonly DnsRecord[] {
  const hosts = new Set(entries.map((entry) => entry.host).filter((host) => recordFamily(host) === family))
  return [...hosts].map((host) => addressRecord(owner, source.ttlSeconds, host))
}

/** A CNAME for every entry with a host name. COMPAT: one for each of its ports, beside addresses and each other. */
export function externalAliases(
  { options }: ExternalSource,
  entries: readonly ExternalEntry[],
  owner: Name,
): readonly DnsRecord[] {
  const named = entries.filter(({ host }) => recordFamily(host) === 'name')
  return named.map(({ host }) => nameRecord(owner, rrType.CNAME, options.ttlSeconds, absoluteName(host)))
}

/** SRV records of entries, each target and port once, and the addresses that are known here. */
export function externalServices(
  source: ExternalSource,
  entries: readonly ExternalEntry[],
  owner: Name,
): {
  readonly answer: readonly DnsRecord[]
  readonly additional: readonly DnsRecord[]
  readonly hosts: readonly Name[]
} {
  const weight = Math.max(1, Math.floor(100 / entries.length))
  const answer = new Map<string, DnsRecord>()
  const glue = new Map<string, DnsRecord>()
  const hosts = new Set<Name>()
  for (const { host, port, target } of entries) {
    if (port === noPort) continue
    const isName = recordFamily(host) === 'name'
    const to = isName ? absoluteName(host) : target
    const key = `${to} ${port}`
    if (!answer.has(key)) answer.set(key, srvRecord(owner, source.options.ttlSeconds, weight, port, to))
    if (isName) hosts.add(to)
    else glue.set(`${to} ${host}`, addressRecord(to, source.ttlSeconds, host))
  }
  return { answer: [...answer.values()], additional: [...glue.values()], hosts: [...hosts] }
}
