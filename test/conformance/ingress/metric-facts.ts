// Facts about an exposition text: samples, types, text that must not be there.

import type { MetricSpec } from '@kubewire/nginx-gen/cases'

/** What is wrong with one fact, `undefined` when nothing is. */
export function metricComplaint(text: string, spec: MetricSpec): string | undefined {
  const lines = text.split('\n')
  if (spec.absent !== undefined && text.includes(spec.absent)) {
    return `found ${lines.find((line) => line.includes(spec.absent ?? ''))}`
  }
  if (spec.type !== undefined && !lines.includes(`# TYPE ${spec.type}`)) return 'no such type line'
  if (spec.has === undefined) return undefined
  const wanted = readSample(spec.has)
  const named = lines.map(readSample).filter((sample) => sample?.name === wanted?.name)
  const found = named.some(
    (sample) => sample !== undefined && wanted !== undefined && isSame(wanted, sample, spec.subset === true),
  )
  return found
    ? undefined
    : `found ${
        named
          .slice(0, 5)
          .map((sample) => sample?.line)
          .join(' | ') || 'no sample of that name'
      }`
}

interface Sample {
  readonly name: string
  readonly labels: ReadonlyMap<string, string>
  readonly value: number
  readonly line: string
}

function readSample(line: string): Sample | undefined {
  const parts = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/.exec(line)
  if (parts === null) return undefined
  const labels = new Map<string, string>()
  for (const [, name = '', value = ''] of (parts[2] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g))
    labels.set(name, value)
  return { name: parts[1] ?? '', labels, value: Number(parts[3]), line }
}

function isSame(wanted: Sample, found: Sample, isSubset: boolean): boolean {
  if (wanted.value !== found.value) return false
  if (!isSubset && wanted.labels.size !== found.labels.size) return false
  return [...wanted.labels].every(([name, value]) => found.labels.get(name) === value)
}
