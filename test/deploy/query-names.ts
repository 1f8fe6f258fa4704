// What a PromQL query takes for granted: the metrics it names, and the labels it expects on each. As much of the language
// as our alerts and dashboards use: selectors with matchers, `by (…)` around one selector or several, functions, numbers.
// Source: Prometheus documentation, "Querying basics" and "Operators".

/** A metric of a query and the labels that matchers and groupings want on its series. */
export interface NamedMetric {
  readonly metric: string
  readonly labels: readonly string[]
}

const words = new Set([
  'by',
  'without',
  'on',
  'ignoring',
  'group_left',
  'group_right',
  'or',
  'and',
  'unless',
  'bool',
  'offset',
])

/** Lists them, in the order of the text. */
export function listQueryNames(query: string): readonly NamedMetric[] {
  const found: { metric: string; labels: string[]; at: number }[] = []
  const bare = query.replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) => '"'.repeat(text.length))
  for (const match of bare.matchAll(/(?<!\w)([a-zA-Z_:][\w:]*)\s*(\{[^}]*\})?/g)) {
    const [whole, name = '', matchers = ''] = match
    const after = bare.slice(match.index + whole.length).trimStart()
    const before = bare.slice(0, match.index)
    const isList = /(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*$/.test(before)
    if (words.has(name) || isList || isInBraces(before) || (matchers === '' && after.startsWith('('))) continue
    // An aggregation: `sum by (…) (…)`.
    if (matchers === '' && /^(?:by|without)\b/.test(after)) continue
    const labels = [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label)
    found.push({ metric: name, labels, at: match.index })
  }
  for (const { labels, from, to } of groupings(bare))
    for (const one of found) if (one.at >= from && one.at < to) one.labels.push(...labels)
  return found.map(({ metric, labels }) => ({ metric, labels: [...new Set(labels)].sort() }))
}

function isInBraces(before: string): boolean {
  return before.lastIndexOf('{') > before.lastIndexOf('}')
}

/** Each `by (labels) (…)` with the place of what it is over. */
function groupings(
  query: string,
): readonly { readonly labels: readonly string[]; readonly from: number; readonly to: number }[] {
  return [...query.matchAll(/\bby\s*\(([^)]*)\)\s*\(/g)].map((match) => {
    const from = match.index + match[0].length
    let depth = 1
    let to = from
    while (to < query.length && depth > 0) {
      if (query[to] === '(') depth += 1
      if (query[to] === ')') depth -= 1
      to += 1
    }
    return { labels: (match[1] ?? '').split(',').map((label) => label.trim()), from, to }
  })
}

/** What a daemon exposes: type and seen labels of each metric, under the names that queries use. */
export type ExposedMetrics = ReadonlyMap<string, { readonly hasSeries: boolean; readonly labels: ReadonlySet<string> }>

/** Reads an exposition in the text format 0.0.4. */
export function readExposed(text: string): ExposedMetrics {
  const metrics = new Map<string, { hasSeries: boolean; labels: Set<string> }>()
  const entry = (name: string) => {
    const known = metrics.get(name) ?? { hasSeries: false, labels: new Set<string>() }
    metrics.set(name, known)
    return known
  }
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\w+)$/gm)) {
    const suffixes =
      type === 'histogram' ? ['_bucket', '_sum', '_count'] : type === 'summary' ? ['', '_sum', '_count'] : ['']
    for (const suffix of suffixes) entry(name + suffix)
  }
  for (const [, name = '', inside = ''] of text.matchAll(/^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+(?: \d+)?$/gm)) {
    const known = entry(name)
    known.hasSeries = true
    for (const [, label = ''] of inside.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) known.labels.add(label)
  }
  return metrics
}

/** Labels that a scrape gives every series. The charts scrape with `honorLabels`: ours of the same name win. */
const targetLabels: ReadonlySet<string> = new Set(['instance', 'job'])

/** What is wrong with a query, in words; nothing when all it names is exposed. */
export function queryFaults(query: string, exposed: ExposedMetrics): readonly string[] {
  return listQueryNames(query).flatMap(({ metric, labels }) => {
    const known = exposed.get(metric)
    if (known === undefined) return [`${metric} is not exposed`]
    return labels.flatMap((label) => {
      if (targetLabels.has(label)) return []
      if (!known.hasSeries) return [`${metric} has no series, so nothing shows that it has the label ${label}`]
      return known.labels.has(label) ? [] : [`${metric} has no label ${label}`]
    })
  })
}
