// Findings that somebody has looked at: the annotation `lint.kubewire/RULE: "until YYYY-MM-DD: REASON"` on the object
// sets findings of that rule aside until that day. Without a day or a reason it sets nothing aside.

import type { KubeObject, Problem } from '@kubewire/kube-model'
import { printRef, quoteFound, refOf, withDefaultNamespace } from '@kubewire/kube-model'
import type { RuleFinding } from './rule-finding.ts'

// Key of the annotation, before the rule.
const suppressionPrefix = 'lint.kubewire/'

/**
 * Marks findings that are set aside; one whose suppression is over or not complete says so.
 *
 * @param today - `YYYY-MM-DD`; the last day of a suppression still counts
 */
export function suppressFindings(
  findings: readonly RuleFinding[],
  objects: Iterable<KubeObject>,
  today: string,
): readonly RuleFinding[] {
  const annotations = new Map<string, { readonly [key: string]: string }>()
  for (const object of objects) {
    const own = object.metadata?.annotations ?? {}
    if (Object.keys(own).some((key) => key.startsWith(suppressionPrefix))) annotations.set(printRef(refOf(object)), own)
  }
  return findings.map((found) => {
    const text = annotations.get(printRef(found.object))?.[`${suppressionPrefix}${found.rule}`]
    if (text === undefined) return found
    const { until, reason } = readSuppression(text)
    if (until === '')
      return { ...found, message: `${found.message}; its suppression is not "until YYYY-MM-DD: REASON"` }
    if (until < today) return { ...found, message: `${found.message}; its suppression ended on ${until}` }
    return { ...found, suppression: { until, reason } }
  })
}

/** Suppressions that set nothing aside, whatever is found: of a rule that is none, or without a day and a reason. */
export function suppressionProblems(objects: readonly KubeObject[], ruleIds: readonly string[]): readonly Problem[] {
  return objects.flatMap((object) =>
    Object.entries(object.metadata?.annotations ?? {}).flatMap(([key, text]): Problem[] => {
      if (!key.startsWith(suppressionPrefix)) return []
      const isKnown = ruleIds.includes(key.slice(suppressionPrefix.length))
      if (isKnown && readSuppression(text).until !== '') return []
      const message = isKnown
        ? `expected "until YYYY-MM-DD: REASON", found ${quoteFound(text)}`
        : `expected the name of a rule after ${suppressionPrefix}, found ${quoteFound(key.slice(suppressionPrefix.length))}`
      const path = `metadata.annotations["${key}"]`
      const fallback = 'it sets nothing aside'
      return [
        {
          code: 'CLI_SUPPRESSION',
          severity: 'warning',
          object: refOf(withDefaultNamespace(object)),
          path,
          message,
          fallback,
        },
      ]
    }),
  )
}

function readSuppression(text: string): { readonly until: string; readonly reason: string } {
  const [, until = '', reason = ''] = /^until (\d{4}-\d{2}-\d{2}): *(\S.*)$/s.exec(text) ?? []
  const day = new Date(`${until}T00:00:00Z`)
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(until)
  return isDay ? { until, reason } : { until: '', reason: '' }
}
