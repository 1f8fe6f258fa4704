// Effects: questions with their answers, before and after. Whatever changes no answer is no difference.

import { compareText } from '@kubewire/kube-model'

/** One question about a cluster and what comes out. */
export interface Effect {
  /** What it is about, for grouping: `Service shop/tea`, a host, a name. */
  readonly subject: string
  /** Where of the subject, when the same may be asked of several: the path of a host. */
  readonly place?: string
  /** The question: `A`, `tcp to 10.96.4.4:80 from a pod`, `GET /coffee`. */
  readonly question: string
  readonly answer: string
  /** What `question` is a part of: parts that all come or go with it are told in one line. */
  readonly family?: string
  /** Nobody asked for anything else: equal to every other such answer, and to there being no such question. */
  readonly isDefault?: boolean
  /** What of the objects makes it so; asked only where the answer differs. */
  readonly because?: () => readonly string[]
}

/** One question whose answer differs; an answer is absent where the question did not exist. */
export interface EffectChange {
  readonly subject: string
  readonly question: string
  readonly before?: string
  readonly after?: string
  /** What of the objects makes the answers so, where it is known: `Ingress shop/front proxy-read-timeout`. */
  readonly because?: readonly string[]
}

/** The differences, by subject and question; what differs alike in several places is one. */
export function diffEffects(before: readonly Effect[], after: readonly Effect[]): readonly EffectChange[] {
  const old = new Map(before.map((effect) => [keyOf(effect), effect]))
  const now = new Map(after.map((effect) => [keyOf(effect), effect]))
  const alike = new Map<string, Group>()
  for (const [key, effect] of new Map([...old, ...now])) {
    const [a, b] = [old.get(key), now.get(key)]
    if (isSame(a, b)) continue
    const change = changeOf(effect, a, b)
    const text = JSON.stringify(change)
    const { family } = effect
    const group = alike.get(text) ?? { change, places: [], ...(family === undefined ? {} : { family }) }
    alike.set(text, group)
    if (effect.place !== undefined) group.places.push(effect.place)
  }
  return foldFamilies([...alike.values()])
    .map(({ change, places }) => (places.length === 0 ? change : { ...change, question: placed(change, places) }))
    .sort((a, b) => compareText(a.subject, b.subject) || compareText(a.question, b.question))
}

interface Group {
  readonly change: EffectChange
  readonly places: string[]
  readonly family?: string
}

/** Changes of one family that is switched on or off as a whole, as one change. */
function foldFamilies(groups: readonly Group[]): readonly Group[] {
  const folded = new Map<string, Group[]>()
  for (const group of groups) {
    const { change, places, family } = group
    const isSwitched = family !== undefined && (change.before === undefined || change.after === undefined)
    const way = change.before === undefined ? 'on' : 'off'
    const key = isSwitched
      ? JSON.stringify([change.subject, places, family, way, change.because])
      : JSON.stringify(change)
    folded.set(key, [...(folded.get(key) ?? []), group])
  }
  return [...folded.values()].map(([first, ...others]) => {
    if (first === undefined || first.family === undefined || others.length === 0) return first as Group
    const parts = [first, ...others].map(({ change }) => change)
    const textOf = (side: 'before' | 'after'): string =>
      parts.map((part) => `${part.question.slice(`${first.family}.`.length)} ${part[side]}`).join(', ')
    const side = first.change.before === undefined ? 'after' : 'before'
    return { ...first, change: { ...first.change, question: first.family, [side]: textOf(side) } }
  })
}

function changeOf({ subject, question }: Effect, a: Effect | undefined, b: Effect | undefined): EffectChange {
  const because = [...new Set([...(a?.because?.() ?? []), ...(b?.because?.() ?? [])])]
  return {
    subject,
    question,
    ...(a === undefined ? {} : { before: shown(a) }),
    ...(b === undefined ? {} : { after: shown(b) }),
    ...(because.length === 0 ? {} : { because }),
  }
}

function placed({ question }: EffectChange, places: readonly string[]): string {
  return `${[...places].sort(compareText).join(', ')}: ${question}`
}

function isSame(a: Effect | undefined, b: Effect | undefined): boolean {
  return a?.answer === b?.answer || [a, b].every((effect) => effect === undefined || effect.isDefault === true)
}

function shown({ answer, isDefault }: Effect): string {
  return isDefault === true ? `${answer} (the default)` : answer
}

function keyOf({ subject, place = '', question }: Effect): string {
  return `${subject}\0${place}\0${question}`
}

/** Differences as text for a terminal, Markdown for a pull request, or JSON. */
export function printChanges(changes: readonly EffectChange[], format: 'text' | 'markdown' | 'json'): string {
  if (format === 'json') return `${JSON.stringify(changes, null, 2)}\n`
  if (changes.length === 0) return format === 'text' ? '' : 'No difference.\n'
  if (format === 'markdown') {
    const rows = changes.map((change) =>
      [change.subject, headOf(change), change.before ?? '–', change.after ?? '–']
        .map((cell) => cell.replaceAll('|', '\\|'))
        .join(' | '),
    )
    return `| subject | question | before | after |\n| --- | --- | --- | --- |\n${rows.map((row) => `| ${row} |\n`).join('')}`
  }
  let text = ''
  let last: string | undefined
  for (const change of changes) {
    const { subject, before, after } = change
    if (subject !== last) text += `${subject}\n`
    last = subject
    text += `  ${headOf(change)}\n`
    if (before !== undefined) text += `  - ${before}\n`
    if (after !== undefined) text += `  + ${after}\n`
  }
  return text
}

function headOf({ question, because = [] }: EffectChange): string {
  return because.length === 0 ? question : `${because.join('; ')}: ${question}`
}
