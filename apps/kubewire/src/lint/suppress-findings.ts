// Findings that somebody has looked at: the annotation `lint.kubewire/RULE: "until YYYY-MM-DD: REASON"` on the object
// sets findings of that rule aside until that day. Without a day or a reason it sets nothing aside.

import type { KubeObject } from '@kubewire/kube-model'
import { printRef, refOf } from '@kubewire/kube-model'
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
    const [, until = '', reason = ''] = /^until (\d{4}-\d{2}-\d{2}): *(\S.*)$/s.exec(text) ?? []
    if (until === '')
      return { ...found, message: `${found.message}; its suppression is not "until YYYY-MM-DD: REASON"` }
    if (until < today) return { ...found, message: `${found.message}; its suppression ended on ${until}` }
    return { ...found, suppression: { until, reason } }
  })
}
