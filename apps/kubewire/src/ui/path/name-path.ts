// A DNS answer as a path: one row for each name that was tried, the plugins of the block as its stops.

import { isUnder, type Listener, type QueryExplanation, type RunningBlock } from '@kubewire/dns-core'
import { type Explanation, printRef } from '@kubewire/kube-model'
import { explainNameAnswer, type NameAnswer } from '../../ask/ask-name.ts'
import type { ObjectIndex } from './object-index.ts'
import { type Card, type PathAnswer, plainCard, type Wire } from './path.ts'
import { uniqueRefs } from './unique-refs.ts'

/** Who gave what to each question, and the objects behind the records. */
export function namePath(listener: Listener, type: string, answer: NameAnswer, index: ObjectIndex): PathAnswer {
  const cards: Card[] = []
  const wires: Wire[] = []
  for (const [row, tried] of answer.tried.entries()) {
    const drawn = drawRow(listener, type, tried, row, index)
    cards.push(...drawn.cards)
    wires.push(...drawn.wires)
  }
  const last = answer.tried.at(-1)
  const { code, records } = readReply(last?.explanation)
  const count = answer.tried.length
  return {
    headline: headline(code, records),
    tone: records.length > 0 ? 'good' : 'bad',
    remarks: [
      ...(answer.isWalk ? [`${count} ${count === 1 ? 'question' : 'questions'} of the search list`] : []),
      ...answer.notes,
    ],
    path: { cards, wires },
    explanation: explainNameAnswer(answer),
  }
}

function drawRow(
  listener: Listener,
  type: string,
  { name, explanation }: NameAnswer['tried'][number],
  row: number,
  index: ObjectIndex,
): { readonly cards: Card[]; readonly wires: Wire[] } {
  const asked = askedPlugins(explanation)
  const names = [...new Set([...blockPlugins(listener, name), ...asked.keys()])]
  const start = `question ${row}`
  const cards: Card[] = [{ ...plainCard, id: start, kind: 'question', label: type, title: name, layer: 0, row }]
  const wires: Wire[] = []
  const answering = [...asked].findLast(([, step]) => step.what !== 'not its question')?.[0]
  let lastLit = start
  for (const [at, plugin] of names.entries()) {
    const step = asked.get(plugin)
    const id = `plugin ${row} ${plugin}`
    cards.push(pluginCard(plugin, step, plugin === answering, { id, row, layer: at + 1 }))
    const before = at === 0 ? start : `plugin ${row} ${names[at - 1]}`
    wires.push({ from: before, to: id, isLit: step !== undefined && lastLit === before })
    if (step !== undefined) lastLit = id
  }
  const end = outcomeCard(explanation, index, { id: `outcome ${row}`, row, layer: names.length + 1 })
  cards.push(end)
  wires.push({ from: lastLit, to: end.id, isLit: true })
  return { cards, wires }
}

function pluginCard(
  plugin: string,
  step: Explanation | undefined,
  isAnswering: boolean,
  place: Pick<Card, 'id' | 'row' | 'layer'>,
): Card {
  const note =
    step === undefined
      ? 'not asked'
      : isAnswering
        ? 'answers'
        : step.what === 'not its question'
          ? 'not its question'
          : 'asks on'
  return {
    ...plainCard,
    ...place,
    kind: 'plugin',
    label: 'plugin',
    title: plugin,
    note,
    isLit: step !== undefined,
    tone: 'plain',
    lines: [
      ...(step?.changed === undefined ? [] : [{ text: step.changed, isLit: true }]),
      ...(step === undefined ? [] : [{ text: step.what, isLit: isAnswering }]),
    ],
  }
}

function outcomeCard(
  explanation: QueryExplanation,
  index: ObjectIndex,
  place: Pick<Card, 'id' | 'row' | 'layer'>,
): Card {
  const { code, records } = readReply(explanation)
  const objects = uniqueRefs(records.flatMap((record) => index.ofAddress(record.split(/\s+/).at(-1) ?? '')))
  const [behind] = objects
  const note =
    records.length > 1 ? records.map(dataOf).join(', ') : behind === undefined ? noteOf(code) : printRef(behind)
  return {
    ...plainCard,
    ...place,
    kind: 'outcome',
    label: records.length > 0 ? 'answer' : 'no answer',
    title: records.length === 1 ? dataOf(records[0] ?? '') : records.length > 1 ? `${records.length} records` : code,
    ...(note === '' ? {} : { note }),
    tone: records.length > 0 ? 'good' : 'bad',
    lines: records.map((text) => ({ text, isLit: true })),
    objects,
  }
}

/** Plugins that were asked, in order, the first time each. */
function askedPlugins(explanation: Explanation): ReadonlyMap<string, Explanation> {
  const asked = new Map<string, Explanation>()
  const walk = (step: Explanation): void => {
    const [, plugin] = /^plugin (.+)$/.exec(step.where) ?? []
    if (plugin !== undefined && !asked.has(plugin)) asked.set(plugin, step)
    for (const inner of step.steps ?? []) walk(inner)
  }
  walk(explanation)
  return asked
}

/** The plugins that can answer in the block with the longest zone above the name. */
function blockPlugins(listener: Listener, name: string): readonly string[] {
  let best: RunningBlock | undefined
  let length = -1
  for (const block of listener.blocks) {
    for (const { zone } of block.plan.facts.keys) {
      if (!isUnder(name.toLowerCase(), zone) || zone.length <= length) continue
      best = block
      length = zone.length
    }
  }
  return (best?.plugins ?? []).filter(({ plugin }) => plugin.handle !== undefined).map(({ name }) => name)
}

/** `A x. → NOERROR, x. 30 IN A 10.96.0.1 | …` → code and records, as `explainQuery` writes them. */
function readReply(explanation: QueryExplanation | undefined): {
  readonly code: string
  readonly records: readonly string[]
} {
  const what = explanation?.what ?? ''
  if (explanation?.outcome === 'forwarded') return { code: elsewhere, records: [] }
  const reply = what.slice(what.indexOf('→') + 1).trim()
  const [, code = reply, records] = /^([A-Z]+), (.*)$/s.exec(reply) ?? []
  return { code, records: records === undefined ? [] : records.split(' | ') }
}

// In place of a code, where a server elsewhere would give it.
const elsewhere = 'forwarded'

function headline(code: string, records: readonly string[]): string {
  const [first = ''] = records
  if (records.length === 1) return `Answers ${dataOf(first)}`
  if (records.length > 1) return `Answers ${records.length} records: ${records.map(dataOf).join(', ')}`
  if (code === elsewhere) return 'Forwarded to a server elsewhere, whose answer is not known here'
  if (code === 'NXDOMAIN') return 'There is no such name'
  if (code.startsWith('NODATA')) return 'The name exists, but has no record of this type'
  return `Answers ${code}`
}

function noteOf(code: string): string {
  return code === 'NXDOMAIN' ? 'there is no such name' : ''
}

/** `tea. 30 IN A 10.96.10.1` → `10.96.10.1`. */
function dataOf(record: string): string {
  return /^\S+\s+\d+\s+\S+\s+\S+\s+(.*)$/s.exec(record)?.[1] ?? record
}
