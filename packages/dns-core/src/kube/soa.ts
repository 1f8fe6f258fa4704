// SOA records of cluster zones and the serial in them.

import { joinName, type Name } from '../name.ts'
import type { DnsRecord } from '../record.ts'
import { rrClass, rrType } from '../record-types.ts'
import type { ZoneIndex } from './zone-index.ts'
import { isMulticlusterZone, type ZoneOptions } from './zone-options.ts'

/** The SOA of a zone, with the zone's letters as asked; its own TTL is at most 300 s (CoreDNS plugin.SOA). */
export function soaRecord(index: ZoneIndex, options: ZoneOptions, zone: Name, askedZone: Name): DnsRecord {
  const { internal, multicluster } = index.serials
  return {
    name: askedZone,
    type: rrType.SOA,
    class: rrClass.IN,
    ttlSeconds: Math.min(options.ttlSeconds, 300),
    data: {
      kind: 'soa',
      mname: joinName('ns.dns', askedZone),
      rname: joinName('hostmaster', askedZone),
      serial: isMulticlusterZone(options, zone) ? multicluster : internal,
      refreshSeconds: 7200,
      retrySeconds: 1800,
      expireSeconds: 86400,
      minimumSeconds: options.ttlSeconds,
    },
  }
}
