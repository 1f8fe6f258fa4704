// What would have been a right answer, and when: the sets of endpoints that each probed Service had over time.

/** The history of every probed Service. */
export interface Truth {
  set(index: number, addresses: readonly string[], atMs: number): void
  current(index: number): ReadonlySet<string>
  /** Milliseconds since an address belonged to the Service, 0 if it did at some moment of the span; Infinity: never. */
  lateMs(index: number, address: string, fromMs: number, toMs: number): number
}

interface Moment {
  readonly sinceMs: number
  readonly addresses: ReadonlySet<string>
}

/** Nothing is known before the first `set`. Moments older than `keepMs` before the newest are forgotten. */
export function createTruth(keepMs: number): Truth {
  const histories = new Map<number, Moment[]>()
  const historyOf = (index: number): readonly Moment[] => histories.get(index) ?? []
  return {
    set(index, addresses, atMs) {
      const moments = [...historyOf(index), { sinceMs: atMs, addresses: new Set(addresses) }]
      // The last moment that began before the span still holds at its start.
      while (moments.length > 1 && (moments[1]?.sinceMs ?? 0) < atMs - keepMs) moments.shift()
      histories.set(index, moments)
    },
    current: (index) => historyOf(index).at(-1)?.addresses ?? new Set(),
    lateMs(index, address, fromMs, toMs) {
      const moments = historyOf(index)
      const ends = moments.flatMap(({ sinceMs, addresses }, at) =>
        sinceMs <= toMs && addresses.has(address) ? [moments[at + 1]?.sinceMs ?? Infinity] : [],
      )
      return ends.length === 0 ? Infinity : Math.max(0, fromMs - Math.max(...ends))
    },
  }
}
