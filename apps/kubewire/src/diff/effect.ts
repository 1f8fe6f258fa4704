// Effects: questions with their answers, before and after. Whatever changes no answer is no difference.

import { compareText } from '@kubewire/kube-model'

/** One question about a cluster and what comes out. */
export interface Effect {
  /** What it is about, for grouping: `Service shop/tea`, a host, a name. */
  readonly subject: string
  /** The question: `A`, `tcp to 10.96.4.4:80 from a pod`, `GET /coffee`. */
  readonly question: string
  readonly answer: string
}

/** One question whose answer differs; an answer is absent where the question did not exist. */
export interface EffectChange {
  readonly subject: string
  readonly question: string
  readonly before?: string
  readonly after?: string
}

/** The differences, by subject and question. */
export function diffEffects(before: readonly Effect[], after: readonly Effect[]): readonly EffectChange[] {
  const old = new Map(before.map((effect) => [keyOf(effect), effect]))
  const now = new Map(after.map((effect) => [keyOf(effect), effect]))
  const changes: EffectChange[] = []
  for (const [key, { subject, question }] of new Map([...old, ...now])) {
    const [a, b] = [old.get(key)?.answer, now.get(key)?.answer]
    if (a === b) continue
    changes.push({
      subject,
      question,
      ...(a === undefined ? {} : { before: a }),
      ...(b === undefined ? {} : { after: b }),
    })
  }
  return changes.sort((a, b) => compareText(a.subject, b.subject) || compareText(a.question, b.question))
}

function keyOf({ subject, question }: Effect): string {
  return `${subject}\0${question}`
}

/** Differences as text for a terminal, Markdown for a pull request, or JSON. */
export function printChanges(changes: readonly EffectChange[], format: 'text' | 'markdown' | 'json'): string {
  if (format === 'json') return `${JSON.stringify(changes, null, 2)}\n`
  if (changes.length === 0) return format === 'text' ? '' : 'No difference.\n'
  if (format === 'markdown') {
    const rows = changes.map(({ subject, question, before = '–', after = '–' }) =>
      [subject, question, before, after].map((cell) => cell.replaceAll('|', '\\|')).join(' | '),
    )
    return `| subject | question | before | after |\n| --- | --- | --- | --- |\n${rows.map((row) => `| ${row} |\n`).join('')}`
  }
  let text = ''
  let last: string | undefined
  for (const { subject, question, before, after } of changes) {
    if (subject !== last) text += `${subject}\n`
    last = subject
    text += `  ${question}\n`
    if (before !== undefined) text += `  - ${before}\n`
    if (after !== undefined) text += `  + ${after}\n`
  }
  return text
}
