// `pnpm differential AREA --minutes N [--seed N] [--family NAME]`: random input for ours and the original, compared.
// Exit status 1 when there was a difference.

import { parseArgs } from 'node:util'
import type { DifferentialOptions } from './dns.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string' },
    family: { type: 'string' },
  },
})
const [area = 'dns'] = positionals
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e6))
const options: DifferentialOptions = {
  minutes: Number(values.minutes),
  seed,
  ...(values.family === undefined ? {} : { family: values.family }),
}
const runners: { readonly [area: string]: () => Promise<(options: DifferentialOptions) => Promise<number>> } = {
  dns: async () => (await import('./dns.ts')).runDifferential,
  proxy: async () => (await import('./proxy.ts')).runDifferential,
}
const runner = runners[area]
if (runner === undefined) throw new Error(`expected an area (${Object.keys(runners).join(', ')}), got ${area}`)
console.log(`seed ${seed}`)
process.exitCode = (await (await runner())(options)) > 0 ? 1 : 0
