// Every forward zone of the kubernetes plugins of a server with its records, for printing.

import type { DnsServer } from './dns-server.ts'
import { listZone } from './kube/zone-listing.ts'
import { isReverseName } from './kube/zone-options.ts'
import type { Name } from './name.ts'
import { isKubernetes } from './plugins/kubernetes.ts'
import type { DnsRecord } from './record.ts'
import { printRecord } from './zone/print-record.ts'

/** One zone and everything in it. */
export interface ListedZone {
  readonly zone: Name
  readonly records: readonly DnsRecord[]
}

/** Lists the zones of all kubernetes plugins, reverse zones left out; the same records as a zone transfer. */
export function listClusterZones(server: DnsServer, localAddresses: readonly string[] = []): readonly ListedZone[] {
  const zones = new Map<Name, ListedZone>()
  for (const { plugin } of server.blocks.flatMap((block) => block.plugins)) {
    if (!isKubernetes(plugin)) continue
    for (const zone of plugin.config.options.zones.filter((name) => !isReverseName(name))) {
      zones.set(zone, { zone, records: listZone(plugin.index, plugin.config.options, zone, localAddresses) })
    }
  }
  return [...zones.values()]
}

/** A zone as the text of a zone file, one record a line. */
export function printZone({ zone, records }: ListedZone): string {
  return `$ORIGIN ${zone}\n${records.map((record) => `${printRecord(record, '\t')}\n`).join('')}`
}
