// Compares tables of nftables mode: rules of a chain in order, elements of sets and maps as sets.

import type { NftTables } from './case-file.ts'

type Table = NftTables[string]

/** Why two tables differ, or undefined. */
export function compareTables(wanted: Table, found: Table): string | undefined {
  const differences: string[] = []
  for (const part of ['chains', 'sets', 'maps']) {
    const a = wanted[part] ?? {}
    const b = found[part] ?? {}
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const [left, right] = [a[name], b[name]]
      if (JSON.stringify(normal(left)) === JSON.stringify(normal(right))) continue
      differences.push(`${part} ${name}:\n- ${JSON.stringify(left)}\n+ ${JSON.stringify(right)}`)
    }
  }
  return differences.length === 0 ? undefined : differences.join('\n')
}

function normal(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    key === 'elements' && Array.isArray(inner) ? [...inner].sort() : inner,
  ])
  return Object.fromEntries(entries.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)))
}
