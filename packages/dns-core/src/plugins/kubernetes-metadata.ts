// Metadata labels of the kubernetes plugin, for log formats and rewrites (CoreDNS plugin/kubernetes/metadata.go).

import type { ClusterPod } from '../kube/cluster-objects.ts'
import { parseRequestName } from '../kube/request-name.ts'
import type { ZoneIndex } from '../kube/zone-index.ts'
import { isMulticlusterZone, type ZoneOptions } from '../kube/zone-options.ts'
import { foldName, longestZone } from '../name.ts'
import type { MetadataLabels } from '../plugin.ts'
import type { Query } from '../query.ts'

/** Adds the labels of a question. */
export function kubernetesMetadata(index: ZoneIndex, options: ZoneOptions, query: Query, labels: MetadataLabels): void {
  const set = (label: string, value: string): void => void labels.set(`kubernetes/${label}`, () => value)
  if (options.podMode === 'verified') {
    const pod = firstPod(index, query.client.address)
    set('client-namespace', pod?.namespace ?? '')
    set('client-pod-name', pod?.name ?? '')
    for (const [key, value] of Object.entries(pod?.labels ?? {})) set(`client-label/${key}`, value)
  }
  const name = foldName(query.name)
  const zone = longestZone(options.zones, name)
  if (zone === undefined) return
  const isMulticluster = isMulticlusterZone(options, zone)
  const request = parseRequestName(name, zone, { isMulticluster, hasZonalNames: options.hasZonalNames })
  if (request.kind === 'invalid') {
    set('parse-error', 'invalid query name')
    return
  }
  const service = request.kind === 'service' ? request : undefined
  set('port-name', service?.port ?? '')
  set('protocol', service?.protocol ?? '')
  set('endpoint', service?.endpoint ?? '')
  set('service', request.kind === 'service' ? request.service : request.kind === 'pod' ? request.pod : '')
  set('namespace', request.kind === 'apex' ? '' : request.namespace)
  set('kind', request.kind === 'apex' ? '' : request.kind === 'namespace' ? request.tree : kindOf(request.kind))
  if (isMulticluster) set('cluster', service?.cluster ?? '')
  if (options.hasZonalNames) set('zone', service?.zonal?.topologyZone ?? '')
}

function kindOf(kind: 'pod' | 'service'): string {
  return kind === 'pod' ? 'pod' : 'svc'
}

function firstPod(index: ZoneIndex, address: string): ClusterPod | undefined {
  for (const pod of index.podsByAddress(address)) return pod
  return undefined
}
