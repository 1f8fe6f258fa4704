// Reproducible randomness for generated cases: every choice comes from one seed.

/** Choices from a seed. */
export interface Seeded {
  /** 0 ≤ x < 1 */
  next(): number
  /** Whole number, both ends included. */
  integer(low: number, high: number): number
  pick<T>(values: readonly T[]): T
  chance(probability: number): boolean
  /** Some of the values, each with this probability, in order. */
  some<T>(values: readonly T[], probability: number): T[]
}

/** Choices from a seed (mulberry32). */
export function seeded(seed: number): Seeded {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const integer = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    integer,
    pick(values) {
      if (values.length === 0) throw new Error('nothing to pick from')
      return values[integer(0, values.length - 1)] as (typeof values)[number]
    },
    chance: (probability) => next() < probability,
    some: (values, probability) => values.filter(() => next() < probability),
  }
}
