// `pnpm soak [--minutes N] [--services N] [--rate N] [--every SECONDS] [--seed N]`: three minutes unless told otherwise; exit 1 when an answer
// was wrong, a question failed without a fault, or the state at the end is not the one made from nothing.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { whyNoNetns } from '../harness/netns.ts'
import { isGood, printResult } from './print-result.ts'
import { runSoak } from './run-soak.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    services: { type: 'string', default: '1000' },
    rate: { type: 'string', default: '200' },
    every: { type: 'string', default: '6' },
    seed: { type: 'string', default: '1' },
  },
})

const missing = whyNoNetns()
if (missing !== undefined) {
  console.error(`the soak cannot run here: ${missing}`)
  process.exit(2)
}
const startMs = Date.now()
const result = await runSoak({
  minutes: Number(values.minutes),
  services: Number(values.services),
  probed: 20,
  changesPerSecond: Number(values.rate),
  faultEverySeconds: Number(values.every),
  seed: Number(values.seed),
  progress: (text) => console.error(`${((Date.now() - startMs) / 1000).toFixed(0).padStart(5)} s  ${text}`),
})
console.log(printResult(result))
if (!isGood(result)) {
  const dir = mkdtempSync(join(tmpdir(), 'kubewire-soak-logs-'))
  for (const [name, text] of result.logs) writeFileSync(join(dir, `${name}.log`), text)
  console.error(`what the daemons said is in ${dir}`)
}
process.exit(isGood(result) ? 0 : 1)
