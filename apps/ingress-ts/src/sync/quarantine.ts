// Finds what nginx refuses among many: a bounded search that tests ever smaller sets. Pure but for the test it is given.

/** What a search came to. */
export interface Guilt<T> {
  readonly guilty: readonly T[]
  /** Whether the rest is accepted now. */
  readonly isResolved: boolean
  readonly testCount: number
}

/**
 * Finds items without which `refuses` says no. Items are taken in order: put what was accepted before first, so that
 * what is new is suspected first.
 *
 * Each guilty one costs about log2(n) tests: the shortest refused prefix ends in it.
 *
 * @param suspects - tried alone first, for what nginx named itself
 * @param limit - most items to set aside in one search
 */
export async function findGuilty<T>(
  items: readonly T[],
  refuses: (kept: readonly T[]) => Promise<boolean>,
  { suspects = [], limit = 16 }: { readonly suspects?: readonly T[]; readonly limit?: number } = {},
): Promise<Guilt<T>> {
  let testCount = 0
  const test = (kept: readonly T[]): Promise<boolean> => {
    testCount++
    return refuses(kept)
  }
  const guilty: T[] = []
  let kept = items
  const named = suspects.filter((item) => items.includes(item)).slice(0, limit)
  if (named.length > 0) {
    const without = kept.filter((item) => !named.includes(item))
    if (!(await test(without))) return { guilty: named, isResolved: true, testCount }
  }
  while (guilty.length < limit) {
    const found = await endOfRefusedPrefix(kept, test)
    if (found === undefined) return { guilty, isResolved: false, testCount }
    guilty.push(found)
    kept = kept.filter((item) => item !== found)
    if (!(await test(kept))) return { guilty, isResolved: true, testCount }
  }
  return { guilty, isResolved: false, testCount }
}

// The last item of the shortest prefix that is refused; `undefined` when even nothing is refused.
async function endOfRefusedPrefix<T>(
  items: readonly T[],
  refuses: (kept: readonly T[]) => Promise<boolean>,
): Promise<T | undefined> {
  if (items.length === 0 || (await refuses([]))) return undefined
  let accepted = 0
  let refused = items.length
  while (refused - accepted > 1) {
    const middle = (accepted + refused) >> 1
    if (await refuses(items.slice(0, middle))) refused = middle
    else accepted = middle
  }
  return items[refused - 1]
}
