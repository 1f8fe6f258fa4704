// Which endpoints of a service port are used: topology hints, traffic policies, terminating fallback.
// Source: kube-proxy 1.36 pkg/proxy/topology.go; KEP-1669 (terminating), KEP-2433 and KEP-3015 (hints).

import type { EndpointFacts } from './endpoint.ts'
import type { ServicePortFacts } from './service-port.ts'

/** The endpoints of one service port by use. */
export interface CategorizedEndpoints {
  /** For policy Cluster; empty when no front end has that policy. */
  readonly cluster: readonly EndpointFacts[]
  /** For policy Local; empty when no front end has that policy. */
  readonly local: readonly EndpointFacts[]
  /** Everything that gets a chain. */
  readonly reachable: readonly EndpointFacts[]
  /** Some endpoint exists somewhere: external front ends have rules. */
  readonly hasEndpoints: boolean
  /** Traffic to the cluster IP can be served here. */
  readonly hasInternal: boolean
  /** Traffic to the other front ends can be served here. */
  readonly hasExternal: boolean
}

/** Whether the service port has a front end other than its cluster IP, in its family. */
export function isExternallyAccessible(port: ServicePortFacts): boolean {
  return port.nodePort !== undefined || port.vips.length > 0 || port.externalIps.length > 0
}

/** Whether some front end spreads over all endpoints. */
export function usesClusterEndpoints(port: ServicePortFacts): boolean {
  return !port.isInternalLocal || isExternallyAccessible(port)
}

/** Whether some front end uses only endpoints of this node. */
export function usesLocalEndpoints(port: ServicePortFacts): boolean {
  return port.isInternalLocal || (port.isExternalLocal && isExternallyAccessible(port))
}

const none: readonly EndpointFacts[] = []

/** Sorts the endpoints of a service port by use, as seen from a node in a zone. */
export function categorizeEndpoints(
  endpoints: readonly EndpointFacts[],
  port: ServicePortFacts,
  node: { readonly nodeName: string; readonly zone?: string | undefined },
): CategorizedEndpoints {
  const usesCluster = usesClusterEndpoints(port)
  const usesLocal = usesLocalEndpoints(port)
  const mode = usesCluster ? topologyMode(endpoints, node) : 'none'
  const cluster = usesCluster ? readyOrTerminating(endpoints, (e) => isAdmitted(e, mode, node)) : none
  const localReady = usesLocal ? endpoints.filter((e) => e.isLocal && e.isReady) : none
  const isLocalFallback = usesLocal && localReady.length === 0
  const local = isLocalFallback ? endpoints.filter((e) => e.isLocal && e.isServing && e.isTerminating) : localReady
  const hasEndpoints =
    cluster.length > 0 || (usesLocal && endpoints.some((e) => e.isReady || (e.isServing && e.isTerminating)))
  return {
    cluster,
    local,
    reachable: reachableEndpoints(cluster, local, { usesCluster, mode, isLocalFallback }),
    hasEndpoints,
    hasInternal: hasEndpoints && !(port.isInternalLocal && local.length === 0),
    hasExternal: hasEndpoints && !(port.isExternalLocal && local.length === 0),
  }
}

type TopologyMode = 'node' | 'zone' | 'none'

// Hints count only if every ready endpoint has them, and only if some of them name us.
function topologyMode(
  endpoints: readonly EndpointFacts[],
  { nodeName, zone }: { readonly nodeName: string; readonly zone?: string | undefined },
): TopologyMode {
  if (endpoints.every((e) => e.zoneHints.length + e.nodeHints.length === 0)) return 'none'
  const ready = endpoints.filter((endpoint) => endpoint.isReady)
  if (ready.length === 0) return 'none'
  if (ready.every((e) => e.nodeHints.length > 0) && ready.some((e) => e.nodeHints.includes(nodeName))) return 'node'
  if (zone === undefined || zone === '') return 'none'
  if (ready.every((e) => e.zoneHints.length > 0) && ready.some((e) => e.zoneHints.includes(zone))) return 'zone'
  return 'none'
}

function isAdmitted(
  endpoint: EndpointFacts,
  mode: TopologyMode,
  { nodeName, zone }: { readonly nodeName: string; readonly zone?: string | undefined },
): boolean {
  if (mode === 'node') return endpoint.nodeHints.includes(nodeName)
  return mode === 'none' || (zone !== undefined && endpoint.zoneHints.includes(zone))
}

function readyOrTerminating(
  endpoints: readonly EndpointFacts[],
  isAdmittedHere: (endpoint: EndpointFacts) => boolean,
): readonly EndpointFacts[] {
  const isUsed = (endpoint: EndpointFacts): boolean => endpoint.isReady && isAdmittedHere(endpoint)
  // Most often all are: then the list itself serves.
  const ready = endpoints.every(isUsed) ? endpoints : endpoints.filter(isUsed)
  return ready.length > 0 ? ready : endpoints.filter((endpoint) => endpoint.isServing && endpoint.isTerminating)
}

function reachableEndpoints(
  cluster: readonly EndpointFacts[],
  local: readonly EndpointFacts[],
  facts: { readonly usesCluster: boolean; readonly mode: TopologyMode; readonly isLocalFallback: boolean },
): readonly EndpointFacts[] {
  if (!facts.usesCluster) return local
  if (facts.mode === 'none' && !facts.isLocalFallback) return cluster
  const union = new Map([...cluster, ...local].map((endpoint) => [endpoint.text, endpoint]))
  return [...union.values()].sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
}
