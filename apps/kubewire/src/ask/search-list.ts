// What a pod's resolver makes of a name: the names it asks for, in order (resolv.conf(5)).

import type { PodResolver } from './pod-resolver.ts'

/** The absolute names that a resolver tries for `name`, in order. */
export function searchNames(name: string, { searches, ndots }: Pick<PodResolver, 'searches' | 'ndots'>): string[] {
  if (name.endsWith('.')) return [name]
  const searched = searches.map((suffix) => `${name}.${suffix}`)
  const dots = name.split('.').length - 1
  return dots >= ndots ? [`${name}.`, ...searched] : [...searched, `${name}.`]
}
