// Several expositions in the text format of Prometheus as one, as if one process had counted: counters and histograms
// are added, and so are gauges of what a process holds. Of other gauges (versions, settings, times) the largest is shown.

/** Gauges that say how much there is: of all processes together it is the sum. */
const heldGauges =
  /^(?:coredns_cache_entries|process_(?:resident|virtual|heap)_.*|process_open_fds|nodejs_(?:heap|external|active)_.*)$/

/** Adds up; the order is that of the first exposition in which a series stands. */
export function sumExpositions(texts: readonly string[]): string {
  const metrics = new Map<string, { readonly head: readonly string[]; readonly series: Map<string, number> }>()
  for (const text of texts) {
    let head: string[] = []
    let current = ''
    for (const line of text.split('\n')) {
      if (line.startsWith('# HELP ')) head = [line]
      else if (line.startsWith('# TYPE ')) {
        const [, , name = ''] = line.split(' ')
        current = name
        if (!metrics.has(name)) metrics.set(name, { head: [...head, line], series: new Map() })
      } else if (line !== '') addSample(metrics.get(current), line, current)
    }
  }
  const lines = [...metrics.values()].flatMap(({ head, series }) => [
    ...head,
    ...[...series].map(([key, value]) => `${key} ${value}`),
  ])
  return `${lines.join('\n')}\n`
}

function addSample(
  metric: { readonly head: readonly string[]; readonly series: Map<string, number> } | undefined,
  line: string,
  name: string,
): void {
  if (metric === undefined) return
  const { head, series } = metric
  const space = line.lastIndexOf(' ')
  const key = line.slice(0, space)
  const value = Number(line.slice(space + 1))
  const known = series.get(key)
  const isAdded = !head.some((one) => one.endsWith(' gauge')) || heldGauges.test(name)
  series.set(key, known === undefined ? value : isAdded ? known + value : Math.max(known, value))
}
