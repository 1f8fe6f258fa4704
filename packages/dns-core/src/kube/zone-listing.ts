// Every record of a cluster zone, in the order of the original's transfer: what AXFR sends and `dns render` prints.

import { compareText } from '@kubewire/kube-model'
import { absoluteName, foldName, joinName, type Name } from '../name.ts'
import { addressRecord, type DnsRecord, nameRecord, srvRecord } from '../record.ts'
import { rrType } from '../record-types.ts'
import { type ClusterService, type ClusterSlice, noPort } from './cluster-objects.ts'
import { endpointName } from './endpoint-name.ts'
import { recordFamily } from './go-ip.ts'
import { nameServers } from './name-servers.ts'
import { serviceTarget } from './service-records.ts'
import { soaRecord } from './soa.ts'
import type { ZoneIndex } from './zone-index.ts'
import { isExposed, isMulticlusterZone, type ZoneOptions } from './zone-options.ts'

/**
 * Lists a zone: SOA, name servers, then the services by name (CoreDNS plugin/kubernetes/xfr.go). No PTR records, no
 * pods, no zonal names; the closing SOA of a transfer is not repeated here.
 */
export function listZone(
  index: ZoneIndex,
  options: ZoneOptions,
  zone: Name,
  localAddresses: readonly string[],
): readonly DnsRecord[] {
  const { ttlSeconds } = options
  const servers = nameServers(index, options, zone, localAddresses)
  const serverNames = [...new Set(servers.map((server) => server.name))]
  const isMulticluster = isMulticlusterZone(options, zone)
  const services = [...(isMulticluster ? index.imports() : index.services())]
    .filter((service) => isExposed(index, options, service.namespace))
    .sort((a, b) => compareText(a.name, b.name) || compareText(a.namespace, b.namespace))
  return [
    soaRecord(index, options, zone, zone),
    ...serverNames.map((name) => nameRecord(zone, rrType.NS, ttlSeconds, name)),
    // COMPAT: these addresses have TTL 0.
    ...servers.map(({ name, address }) => addressRecord(name, 0, address)),
    ...services.flatMap((service) => serviceListing(index, options, service, zone, isMulticluster)),
  ]
}

function serviceListing(
  index: ZoneIndex,
  options: ZoneOptions,
  service: ClusterService,
  zone: Name,
  isMulticluster: boolean,
): DnsRecord[] {
  const target = serviceTarget(service, zone)
  if (service.kind === 'externalName') {
    if (recordFamily(service.externalName) !== 'name') return []
    return [nameRecord(target, rrType.CNAME, options.ttlSeconds, absoluteName(service.externalName))]
  }
  // COMPAT: an address makes it a service with addresses, whatever its type says.
  if (recordFamily(service.addresses[0] ?? '') !== 'name') return clusterIpListing(service, target, options.ttlSeconds)
  const { namespace, name } = service
  const slices = isMulticluster ? index.importedSlices(namespace, name) : index.slices(namespace, name)
  return headlessListing(slices, options, target)
}

function clusterIpListing(service: ClusterService, target: Name, ttlSeconds: number): DnsRecord[] {
  const records = service.addresses.map((address) => addressRecord(target, ttlSeconds, address))
  for (const { name, port, protocol } of service.ports) {
    if (port === noPort) continue
    records.push(srvRecord(target, ttlSeconds, 100, port, target))
    if (name !== '') records.push(srvRecord(portName(name, protocol, target), ttlSeconds, 100, port, target))
  }
  return records
}

function headlessListing(slices: Iterable<ClusterSlice>, options: ZoneOptions, target: Name): DnsRecord[] {
  const { ttlSeconds, usesPodNames } = options
  const records: DnsRecord[] = []
  for (const slice of slices) {
    const weight = Math.max(1, Math.floor(100 / slice.addresses.length))
    for (const endpoint of slice.addresses) {
      // COMPAT: an endpoint that is a name has no records of its own, and its ports lead nowhere (CoreDNS xfr.go).
      const isName = recordFamily(endpoint.address) === 'name'
      const name = isName ? '.' : joinName(endpointName(endpoint, usesPodNames), target)
      for (const owner of isName ? [] : [target, name]) {
        records.push(addressRecord(owner, ttlSeconds, endpoint.address))
      }
      for (const port of slice.ports) {
        // COMPAT: a named port without a number is listed as 65535.
        if (port.name === '') continue
        records.push(
          srvRecord(portName(port.name, port.protocol, target), ttlSeconds, weight, port.port & 0xffff, name),
        )
      }
    }
  }
  return records
}

function portName(name: string, protocol: string, target: Name): Name {
  return joinName(foldName(`_${name}._${protocol}`), target)
}
