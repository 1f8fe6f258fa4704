// A name that has no answer: names of the cluster that could have been meant. Pure.

import type { QueryExplanation } from '@kubewire/dns-core'
import { type ClusterSnapshot, type Explanation, sortedObjects } from '@kubewire/kube-model'
import { isOneEditAway } from './one-edit-away.ts'

/** One step with names to try, or none. */
export function nameHints(
  snapshot: ClusterSnapshot,
  name: string,
  outcome: QueryExplanation['outcome'] | undefined,
): readonly Explanation[] {
  if (outcome === 'records') return []
  const [label = '', namespace] = name.toLowerCase().replace(/\.$/, '').split('.')
  const services = sortedObjects(snapshot.services).map(({ metadata }) => ({
    name: metadata?.name ?? '',
    namespace: metadata?.namespace ?? '',
  }))
  const sameName = services.filter((one) => one.name === label)
  const close = services.filter((one) => one.namespace === namespace && isOneEditAway(one.name, label))
  const meant = [...sameName, ...close].map((one) => `${one.name}.${one.namespace}.svc.cluster.local`)
  const names = [...new Set(meant)].filter((one) => one !== name.replace(/\.$/, '')).slice(0, 3)
  if (names.length === 0) return []
  const isShort = !name.replace(/\.$/, '').endsWith('.cluster.local')
  const walk = isShort ? '; --client pod/NAMESPACE/NAME walks the search list of a pod' : ''
  return [{ where: 'hint', what: `did you mean ${names.join(' or ')}?${walk}` }]
}

/** An answer that ends in an alias: the addresses behind it are asked for elsewhere. */
export function aliasHints(explanation: QueryExplanation | undefined): readonly Explanation[] {
  const { openAlias } = explanation ?? {}
  if (openAlias === undefined || openAlias.endsWith('.cluster.local.')) return []
  return [
    { where: 'hint', what: `the server asks elsewhere for the records of ${openAlias}, which are not known here` },
  ]
}
