// Equality of plain values, keys in any order.

/** Why two plain values differ, or undefined. */
export function differ(wanted: unknown, found: unknown): string | undefined {
  const [a, b] = [JSON.stringify(sorted(wanted)), JSON.stringify(sorted(found))]
  return a === b ? undefined : `wanted ${a}\nfound  ${b}`
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}
