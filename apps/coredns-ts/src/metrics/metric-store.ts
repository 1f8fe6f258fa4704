// The numbers behind the metrics, kept by name and label values, printed in the text format of Prometheus. A slot found
// once can be kept, so that counting costs an addition.

import type { MetricDefinition, MetricsPort } from '@kubewire/dns-core'

/** One time series. For histograms `counts` holds one number for each bucket and `value` the sum. */
export interface MetricSlot {
  value: number
  count: number
  readonly counts: number[]
  /** Upper bounds of the buckets; none unless it is a histogram. */
  readonly buckets: readonly number[]
}

/** A store that plugins write and `/metrics` prints. */
export interface MetricStore extends MetricsPort {
  slot(name: string, labels: readonly string[]): MetricSlot
  /** Forgets every series of these metrics; a reload starts them anew. */
  forget(names: readonly string[]): void
  text(): string
}

interface Series {
  readonly definition: MetricDefinition
  readonly slots: Map<string, MetricSlot>
}

/** A store for these metrics; a name without definition is a bug and throws. */
export function createMetricStore(definitions: readonly MetricDefinition[]): MetricStore {
  const metrics = new Map<string, Series>(
    definitions.map((definition) => [definition.name, { definition, slots: new Map() }]),
  )
  const seriesOf = (name: string): Series => {
    const series = metrics.get(name)
    if (series === undefined) throw new Error(`no metric ${name} is defined`)
    return series
  }
  const slot = (name: string, labels: readonly string[]): MetricSlot => {
    const { definition, slots } = seriesOf(name)
    const key = labels.join('\0')
    const known = slots.get(key)
    if (known !== undefined) return known
    const made = emptySlot(definition)
    slots.set(key, made)
    return made
  }
  return {
    slot,
    counter: slot,
    add: (name, labels, amount = 1) => {
      slot(name, labels).value += amount
    },
    set: (name, labels, value) => {
      slot(name, labels).value = value
    },
    observe: (name, labels, value) => addObservation(slot(name, labels), value),
    forget: (names) => {
      for (const name of names) seriesOf(name).slots.clear()
    },
    text: () => [...metrics.values()].map(printSeries).join(''),
  }
}

/** Adds an observation to a histogram slot. */
export function addObservation(slot: MetricSlot, value: number): void {
  const { buckets, counts } = slot
  let at = 0
  while (at < buckets.length && value > (buckets[at] as number)) at++
  if (at < buckets.length) counts[at] = (counts[at] as number) + 1
  slot.count++
  slot.value += value
}

function emptySlot({ buckets = [] }: MetricDefinition): MetricSlot {
  return { value: 0, count: 0, counts: buckets.map(() => 0), buckets }
}

function printSeries({ definition, slots }: Series): string {
  const { name, kind, help, labels } = definition
  // COMPAT: counters without labels are there from the start, series with labels once they were used.
  if (slots.size === 0 && labels.length > 0) return ''
  const entries: [string, MetricSlot][] = slots.size === 0 ? [['', emptySlot(definition)]] : [...slots]
  const lines = entries.flatMap(([key, slot]) => {
    const values = labels.length === 0 ? [] : key.split('\0')
    const pairs = labels.map((label, i) => `${label}="${escapeLabel(values[i] ?? '')}"`)
    return kind === 'histogram' ? printHistogram(definition, pairs, slot) : [`${name}${braces(pairs)} ${slot.value}`]
  })
  return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${lines.join('\n')}\n`
}

function printHistogram(
  { name, buckets = [] }: MetricDefinition,
  pairs: readonly string[],
  slot: MetricSlot,
): string[] {
  let sum = 0
  const lines = buckets.map((bound, i) => {
    sum += slot.counts[i] ?? 0
    return `${name}_bucket${braces([...pairs, `le="${bound}"`])} ${sum}`
  })
  return [
    ...lines,
    `${name}_bucket${braces([...pairs, 'le="+Inf"'])} ${slot.count}`,
    `${name}_sum${braces(pairs)} ${slot.value}`,
    `${name}_count${braces(pairs)} ${slot.count}`,
  ]
}

function braces(pairs: readonly string[]): string {
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
