// NetworkPolicies that stand beside the rules: whether they let a packet pass is the network plugin's matter. Pure.

import {
  type ClusterSnapshot,
  type Explanation,
  type KubeObject,
  printRef,
  refOf,
  sortedObjects,
} from '@kubewire/kube-model'

/** One step that names the policies of the namespaces in which a packet may end, or none. */
export function policyHints(
  objects: Iterable<KubeObject>,
  snapshot: ClusterSnapshot,
  ends: readonly string[],
): readonly Explanation[] {
  const namespaces = new Set(
    sortedObjects(snapshot.endpointSlices)
      .filter(({ endpoints = [] }) =>
        endpoints.some(({ addresses = [] }) => addresses.some((one) => ends.includes(one))),
      )
      .map(({ metadata }) => metadata?.namespace ?? 'default'),
  )
  const policies = [...objects]
    .filter(({ kind, metadata }) => kind === 'NetworkPolicy' && namespaces.has(metadata?.namespace ?? 'default'))
    .map((object) => printRef(refOf(object)))
  if (policies.length === 0) return []
  const shown = policies.slice(0, 3).join(', ')
  const more = policies.length > 3 ? ` and ${policies.length - 3} more` : ''
  return [{ where: 'not asked', what: `${shown}${more}: whether it lets the packet pass is up to the network plugin` }]
}
