// Compares tables of nftables mode: rules of a chain in order, elements of sets and maps as sets.

import type { NftTables } from './proxy-case.ts'

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

interface SetChange {
  readonly added?: readonly string[]
  readonly removed?: readonly string[]
}

/** The tables after the changes of a step: whole chains, sets by what was added and removed, `null` for what is gone. */
export function applyTableChanges(tables: NftTables, changes: NftTables): NftTables {
  const next = structuredClone(tables) as Record<string, Record<string, Record<string, unknown>>>
  for (const [family, parts] of Object.entries(changes)) {
    const table = next[family] ?? {}
    next[family] = table
    for (const [part, entries] of Object.entries(parts)) {
      const target = table[part] ?? {}
      table[part] = target
      for (const [name, change] of Object.entries(entries)) {
        if (change === null) delete target[name]
        else target[name] = isSetChange(change) ? changedSet(target[name], change) : change
      }
    }
  }
  return next
}

function isSetChange(change: unknown): change is SetChange {
  return typeof change === 'object' && change !== null && ('added' in change || 'removed' in change)
}

function changedSet(before: unknown, { added = [], removed = [] }: SetChange): unknown {
  const set = (before ?? { elements: [] }) as { readonly elements: readonly string[] }
  return { ...set, elements: [...set.elements.filter((element) => !removed.includes(element)), ...added].sort() }
}
