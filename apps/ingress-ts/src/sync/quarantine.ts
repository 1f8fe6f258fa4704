// Finds what nginx refuses among many: a bounded search that tests ever smaller sets. Pure but for the test it is given.

/** One to blame, with what was said about the smallest set that was refused because of it. */
export interface Guilty<T, R> {
  readonly item: T
  readonly refusal: R
}

/** What a search came to. */
export interface Guilt<T, R> {
  readonly guilty: readonly Guilty<T, R>[]
  /** Whether the rest is accepted now. */
  readonly isResolved: boolean
  readonly testCount: number
}

/**
 * Finds items that are refused. Items are taken in order: put what was accepted before first, so that what is new is
 * suspected first.
 *
 * Each guilty one costs about log2(n) tests: the shortest refused prefix ends in it.
 *
 * @param refusal - what was said about all of them
 * @param refusalOf - what is said about some, `undefined` when they are accepted; must not change its mind meanwhile
 * @param limit - most items to set aside in one search
 */
export async function findGuilty<T, R>(
  items: readonly T[],
  refusal: R,
  refusalOf: (kept: readonly T[]) => Promise<R | undefined>,
  limit = 16,
): Promise<Guilt<T, R>> {
  let testCount = 0
  const test = (kept: readonly T[]): Promise<R | undefined> => {
    testCount++
    return refusalOf(kept)
  }
  const guilty: Guilty<T, R>[] = []
  let kept = items
  let last: R | undefined = refusal
  while (guilty.length < limit && last !== undefined) {
    const found = await endOfRefusedPrefix(kept, last, test)
    if (found === undefined) break
    guilty.push(found)
    kept = kept.filter((item) => item !== found.item)
    last = await test(kept)
  }
  return { guilty, isResolved: last === undefined, testCount }
}

// The last item of the shortest prefix that is refused; `undefined` when even nothing is refused.
async function endOfRefusedPrefix<T, R>(
  items: readonly T[],
  refusal: R,
  refusalOf: (kept: readonly T[]) => Promise<R | undefined>,
): Promise<Guilty<T, R> | undefined> {
  if (items.length === 0 || (await refusalOf([])) !== undefined) return undefined
  let accepted = 0
  let refused = items.length
  let last = refusal
  while (refused - accepted > 1) {
    const middle = (accepted + refused) >> 1
    const answer = await refusalOf(items.slice(0, middle))
    if (answer === undefined) accepted = middle
    else {
      refused = middle
      last = answer
    }
  }
  return { item: items[refused - 1] as T, refusal: last }
}
