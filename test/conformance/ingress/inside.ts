// The part of the runner that lives inside the namespace: takes cases as lines of JSON, gives results the same way.

import { createInterface } from 'node:readline'
import type { CaseFile, ProbeResult } from '../area.ts'
import { makeCertificates } from './certificates.ts'
import { runIngressCase } from './run-case.ts'

/** One order. */
interface Order {
  readonly file: CaseFile
}

/** The answer to an order. */
export interface OrderAnswer {
  readonly results: readonly ProbeResult[]
}

const [controllerFile = '', routes = 'data'] = process.argv.slice(2)
const pairs = await makeCertificates([{ name: 'webhook', cn: 'webhook', dns: ['localhost'] }])
const webhookPair = pairs.get('webhook') ?? { cert: '', key: '' }

for await (const line of createInterface({ input: process.stdin })) {
  const { file } = JSON.parse(line) as Order
  const results = await runIngressCase(file, { controllerFile, webhookPair, routes }).catch(
    (error: unknown): ProbeResult[] => [
      {
        probe: 'case',
        outcome: 'failed',
        detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
      },
    ],
  )
  process.stdout.write(`${JSON.stringify({ results } satisfies OrderAnswer)}\n`)
}
process.exit()
