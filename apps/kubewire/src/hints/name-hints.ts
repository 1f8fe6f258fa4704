// A name that has no answer: names of the cluster that could have been meant. Pure.

import type { QueryExplanation } from '@kubewire/dns-core'
import { type ClusterSnapshot, type Explanation, parseIp, sortedObjects } from '@kubewire/kube-model'
import { isOneEditAway } from './one-edit-away.ts'

/** One step that says why the Service of this very name has no records, or names to try, or none. */
export function nameHints(
  snapshot: ClusterSnapshot,
  name: string,
  explanation: Pick<QueryExplanation, 'outcome' | 'zone'> | undefined,
): readonly Explanation[] {
  const { outcome, zone = '.' } = explanation ?? {}
  // A block for a zone of its own: whoever asks there means no Service.
  if (outcome === 'records' || (zone !== '.' && !zone.endsWith(clusterZone))) return []
  if (`${name.replace(/\.$/, '')}.`.toLowerCase() === clusterZone && outcome === 'no records') return [zoneHint]
  const own = serviceHint(snapshot, name)
  if (own !== undefined) return [own]
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

const clusterZone = 'cluster.local.'

const zoneHint: Explanation = {
  where: 'hint',
  what: 'the name servers of the zone are the pods of CoreDNS themselves, whose Service kube-system/kube-dns is not among the objects',
}

/** The Service has this name: what keeps it from having records. */
function serviceHint(snapshot: ClusterSnapshot, name: string): Explanation | undefined {
  const [, label = '', namespace] = /^([^.]+)\.([^.]+)\.svc\.cluster\.local\.?$/i.exec(name) ?? []
  const { type, externalName = '', clusterIP } = snapshot.services.get(label, namespace)?.spec ?? {}
  const hint = (what: string): Explanation => ({ where: 'hint', what: `Service ${namespace}/${label} ${what}` })
  if (type === 'ExternalName' && parseIp(externalName) !== undefined) {
    return hint(`exists, but its externalName ${externalName} is an address, and an alias can only name a name`)
  }
  return clusterIP === 'None'
    ? hint('is headless: its name has the addresses of its ready endpoints, and there is none')
    : undefined
}

/** An answer that ends in an alias: the addresses behind it are asked for elsewhere. */
export function aliasHints(explanation: QueryExplanation | undefined): readonly Explanation[] {
  const { openAlias } = explanation ?? {}
  if (openAlias === undefined || openAlias.endsWith('.cluster.local.')) return []
  return [
    { where: 'hint', what: `the server asks elsewhere for the records of ${openAlias}, which are not known here` },
  ]
}
