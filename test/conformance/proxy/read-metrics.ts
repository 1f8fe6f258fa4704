// Values out of a metrics text (exposition format 0.0.4).

/** Values of one metric by their labels as printed, sorted. */
export function readMetrics(text: string, name: string): ReadonlyMap<string, number> {
  const values = new Map<string, number>()
  for (const line of text.split('\n')) {
    const match = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{([^}]*)\})? (\S+)/.exec(line)
    if (match?.[1] !== name) continue
    const labels = (match[2] ?? '').split(',').filter(Boolean).sort().join(',')
    values.set(labels, Number(match[3]))
  }
  return values
}

/** Sum of all values of one metric. */
export function metricSum(text: string, name: string): number {
  return [...readMetrics(text, name).values()].reduce((sum, value) => sum + value, 0)
}
