import { defineMatch, type MatchDefinition } from './define.ts'

/** `-m statistic --mode random --probability P`: holds for a share of packets. */
export interface StatisticMatch {
  readonly kind: 'statistic'
  /** 0 to 1. The kernel keeps it in steps of 1/2^31. */
  readonly probability: number
}

const steps = 0x80000000

// One of n, as a dispatch over n endpoints asks for; spelling a fraction is dear.
const shares: readonly string[] = Array.from({ length: 33 }, (_, n) => (1 / n).toFixed(10))

function printShare(probability: number): string {
  const n = Math.round(1 / probability)
  return (1 / n === probability ? shares[n] : undefined) ?? probability.toFixed(10)
}

/** `-m statistic --mode random`. Simulations follow both ways with their probabilities, nothing is drawn. */
export const statistic: MatchDefinition<StatisticMatch> = defineMatch<StatisticMatch>({
  kind: 'statistic',
  place: 'module',
  modules: ['statistic'],
  options: { '--mode': 1, '--probability': 1 },
  print: ({ probability }, { form }) =>
    `--mode random --probability ${
      form === 'restore' ? printShare(probability) : (Math.round(probability * steps) / steps).toFixed(11)
    }`,
  parse: (options) => {
    const mode = options.find((option) => option.name === '--mode')?.values[0]
    const probability = options.find((option) => option.name === '--probability')
    const value = Number(probability?.values[0] ?? Number.NaN)
    if (mode !== 'random' || probability?.negated !== false || !(value >= 0 && value <= 1)) return undefined
    return { kind: 'statistic', probability: value }
  },
  holds: (match) => match.probability,
  describe: (match) => `picked at random with probability ${match.probability.toFixed(4)}`,
})
