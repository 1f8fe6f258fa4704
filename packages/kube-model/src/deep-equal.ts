// Structural equality and stable order, written once and generic, so that no type needs an `equals` of its own.

/**
 * Whether two plain values (JSON shapes, Maps, Sets, Dates, byte arrays) are structurally equal.
 * A key with the value `undefined` equals an absent key.
 */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => deepEqual(item, b[i]))
  if (Array.isArray(b)) return false
  if (a instanceof Uint8Array) return b instanceof Uint8Array && a.length === b.length && a.every((x, i) => x === b[i])
  if (a instanceof Date) return b instanceof Date && a.getTime() === b.getTime()
  if (a instanceof Map)
    return b instanceof Map && a.size === b.size && [...a].every(([k, v]) => b.has(k) && deepEqual(v, b.get(k)))
  if (a instanceof Set) return b instanceof Set && a.size === b.size && [...a].every((v) => b.has(v))
  if (b instanceof Uint8Array || b instanceof Date || b instanceof Map || b instanceof Set) return false
  return equalRecords(a as Plain, b as Plain)
}

type Plain = Readonly<Record<string, unknown>>

function equalRecords(a: Plain, b: Plain): boolean {
  for (const key of Object.keys(a)) if (a[key] !== undefined && !deepEqual(a[key], own(b, key))) return false
  for (const key of Object.keys(b)) if (b[key] !== undefined && own(a, key) === undefined) return false
  return true
}

// `constructor` and its like are on every object and in none of our data.
function own(record: Plain, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

/** Compares two texts by UTF-16 code units; the order of every sorted output of ours, independent of locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Entries of a record in key order, so that equal input prints equal bytes. */
export function sortedEntries<V>(record: { readonly [key: string]: V } | undefined): [string, V][] {
  return Object.entries(record ?? {}).sort(([a], [b]) => compareText(a, b))
}
