// The options of the kubernetes block that decide answers.

import type { Name } from '../name.ts'
import type { ZoneIndex } from './zone-index.ts'

/** What pods get names. */
export type PodMode = 'disabled' | 'insecure' | 'verified'

/** Options of one kubernetes plugin; see the plugin for their meaning. */
export interface ZoneOptions {
  /** Folded, in the order of the Corefile. */
  readonly zones: readonly Name[]
  /** Only these namespaces; empty means all. */
  readonly namespaces: ReadonlySet<string>
  readonly podMode: PodMode
  readonly usesPodNames: boolean
  readonly ttlSeconds: number
  readonly ignoresEmptyServices: boolean
  readonly multiclusterZones: readonly Name[]
  readonly hasZonalNames: boolean
}

/** Options of `kubernetes ZONES...` without a block. */
export function defaultZoneOptions(zones: readonly Name[]): ZoneOptions {
  return {
    zones,
    namespaces: new Set(),
    podMode: 'disabled',
    usesPodNames: false,
    ttlSeconds: 5,
    ignoresEmptyServices: false,
    multiclusterZones: [],
    hasZonalNames: false,
  }
}

/** Whether a namespace is listed (when there is a list) and exists. */
export function isExposed(index: ZoneIndex, options: ZoneOptions, namespace: string): boolean {
  return (options.namespaces.size === 0 || options.namespaces.has(namespace)) && index.hasNamespace(namespace)
}

/**
 * The zone of PTR targets: the first that does not lie below a reverse zone.
 *
 * COMPAT: the bare zones in-addr.arpa and ip6.arpa do not lie below themselves.
 */
export function primaryZone(options: ZoneOptions): Name | undefined {
  return options.zones.find((zone) => !isReverseName(zone))
}

/** Whether a folded name lies below in-addr.arpa or ip6.arpa. */
export function isReverseName(name: Name): boolean {
  return name.endsWith('.in-addr.arpa.') || name.endsWith('.ip6.arpa.')
}

/** Whether the zone's services come from other clusters. */
export function isMulticlusterZone(options: ZoneOptions, zone: Name): boolean {
  return options.multiclusterZones.some((candidate) => candidate === zone)
}
