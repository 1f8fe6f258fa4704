// `spec.rules[0].host`, `metadata.annotations["example.org/a"]` → the way to a field, as problems and findings spell it.

import type { FieldPath } from '@kubewire/kube-model/manifest'

/** The steps of a path; of a text that is none, what looks like steps. */
export function parseFieldPath(text: string): FieldPath {
  const steps = text.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|[^.[\]]+/g)
  return [...steps].map(([step, quoted, index]) => {
    if (index !== undefined) return Number(index)
    return quoted === undefined ? step : (JSON.parse(`"${quoted}"`) as string)
  })
}
