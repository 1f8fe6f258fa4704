// Numbers that belong to names: what is assumed for one object stays the same when others come, go or grow. Otherwise one
// more replica would give every other Service new addresses, and a diff would be about nothing else.

/**
 * A number from 1 to `size` for a key (FNV-1a), the next free one where two keys meet.
 *
 * @param isTaken - whether a number is in use already
 */
export function stableNumber(key: string, size: number, isTaken: (n: number) => boolean): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(key)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  const start = hash % size
  for (let step = 0; step < size; step++) {
    const n = ((start + step) % size) + 1
    if (!isTaken(n)) return n
  }
  return start + 1
}
