// What could be meant by what is typed so far, best first.

import type { ClusterSummary } from '../engine/summarize-cluster.ts'

/** One thing to choose. */
export interface Suggestion {
  readonly value: string
  /** What it is, in a word or two. */
  readonly hint: string
}

/** Which field is typed in. */
export type SuggestField = 'name' | 'client' | 'from' | 'to' | 'url' | 'node'

/** Everything that a field could hold, in the order of the cluster. */
export function suggestions(summary: ClusterSummary, field: SuggestField): readonly Suggestion[] {
  const pods = summary.pods.map((key): Suggestion => ({ value: `pod/${key}`, hint: 'pod' }))
  const nodes = summary.nodes.map((name): Suggestion => ({ value: `node/${name}`, hint: 'node' }))
  switch (field) {
    case 'name':
      return summary.services.map(({ ref, type }) => ({
        value: `${ref.name}.${ref.namespace}.svc.cluster.local`,
        hint: type,
      }))
    case 'client':
      return pods
    case 'node':
      return summary.nodes.map((value) => ({ value, hint: 'node' }))
    case 'from':
      return [{ value: '192.0.2.99', hint: 'a client outside' }, ...pods, ...nodes]
    case 'to':
      return summary.services
        .filter(({ address, type }) => address !== 'headless' && type !== 'ExternalName')
        .flatMap(({ ref, ports }) =>
          ports.map((port) => {
            const [word = ''] = port.split(/[ /]/)
            const value = `service/${ref.namespace}/${ref.name}${ports.length > 1 ? `:${word}` : ''}`
            return { value, hint: port }
          }),
        )
    case 'url':
      return summary.services.flatMap(({ ways, ref }) =>
        ways.map(({ url }) => ({ value: url, hint: `${ref.namespace}/${ref.name}` })),
      )
  }
}

/** Those that hold what is typed, those that start with it or with a part of it first; at most `most`. */
export function matchSuggestions(all: readonly Suggestion[], typed: string, most = 8): readonly Suggestion[] {
  const wanted = typed.trim().toLowerCase()
  if (wanted === '') return all.slice(0, most)
  const ranked = all
    .map((suggestion, at) => ({ suggestion, at, rank: rankOf(suggestion.value.toLowerCase(), wanted) }))
    .filter(({ rank }) => rank < 3)
    .sort((a, b) => a.rank - b.rank || a.at - b.at)
  return ranked.slice(0, most).map(({ suggestion }) => suggestion)
}

function rankOf(value: string, wanted: string): number {
  if (value.startsWith(wanted)) return 0
  const at = value.indexOf(wanted)
  if (at < 0) return 3
  return /[./]/.test(value.charAt(at - 1)) ? 1 : 2
}
