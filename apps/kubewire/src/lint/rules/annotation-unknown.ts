// Annotations under the controller's prefix that no release reads: a typing mistake is a setting that is not there.

import { sortedEntries, sortedObjects } from '@kubewire/kube-model'
import { annotations } from '@kubewire/nginx-gen'
import { annotationPath, annotationPrefix } from '../ingress-annotations.ts'
import { finding, type LintRule } from '../lint-rule.ts'
import { translationOf } from '../translation-of.ts'

/** The rule. */
export const annotationUnknown: LintRule = {
  id: 'annotation-unknown',
  severity: 'error',
  summary: 'an ingress annotation that nothing reads',
  docs: 'The controller reads the annotations it knows and no others, without a word: a mistyped `whitelist-source-range` leaves the host open.',
  example: `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: front
  namespace: shop
  annotations: {nginx.ingress.kubernetes.io/whitelist-source-ranges: 203.0.113.0/24}
spec:
  ingressClassName: nginx
  rules: [{host: shop.example.org}]
`,
  check: (snapshot) => {
    const known = annotations.flatMap(({ names }) => names)
    // Retired ones are known, and reported as such.
    const reported = new Set(translationOf(snapshot).problems.map(({ path }) => path))
    return sortedObjects(snapshot.ingresses).flatMap((ingress) =>
      sortedEntries(ingress.metadata?.annotations)
        .filter(([key]) => key.startsWith(annotationPrefix))
        .map(([key]) => key.slice(annotationPrefix.length))
        .filter((name) => !known.includes(name) && !reported.has(annotationPath(name)))
        .map((name) => finding(ingress, annotationPath(name), `nothing reads "${name}"${suggestion(name, known)}`)),
    )
  },
}

function suggestion(name: string, known: readonly string[]): string {
  const near = known
    .map((candidate) => ({ candidate, steps: editSteps(name, candidate) }))
    .sort((a, b) => a.steps - b.steps)[0]
  return near === undefined || near.steps > 3 ? '' : `: "${near.candidate}" is meant?`
}

/** Levenshtein distance: letters to add, drop or change. */
function editSteps(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
