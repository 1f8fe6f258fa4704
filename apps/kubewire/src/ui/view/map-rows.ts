// The part of the map that is drawn: Services that fit the filter, by namespace, as many as are wanted.

import type { ClusterSummary, MapService } from '../engine/summarize-cluster.ts'

/** Services of one namespace. */
export interface MapGroup {
  readonly namespace: string
  readonly services: readonly MapService[]
}

/** What is drawn. */
export interface MapRows {
  readonly groups: readonly MapGroup[]
  /** Services that fit the filter. */
  readonly found: number
  /** Those among them that are not drawn yet. */
  readonly left: number
}

/** Every word of the filter has to occur in the Service's name, namespace, type, address, ports, hosts or paths. */
export function mapRows(summary: ClusterSummary, filter: string, shown: number): MapRows {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const found = words.length === 0 ? summary.services : summary.services.filter((service) => fits(service, words))
  const groups = new Map<string, MapService[]>()
  for (const service of found.slice(0, shown)) {
    const namespace = service.ref.namespace ?? ''
    const known = groups.get(namespace)
    if (known === undefined) groups.set(namespace, [service])
    else known.push(service)
  }
  return {
    groups: [...groups].map(([namespace, services]) => ({ namespace, services })),
    found: found.length,
    left: Math.max(0, found.length - shown),
  }
}

function fits({ ref, type, address, ports, ways }: MapService, words: readonly string[]): boolean {
  const texts = [`${ref.namespace}/${ref.name}`, type, address, ...ports, ...ways.map(({ url }) => url)]
  const text = texts.join('\n').toLowerCase()
  return words.every((one) => text.includes(one))
}
