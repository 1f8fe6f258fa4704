// The part of the DNS runner that lives inside the namespace: cases as lines of JSON in, results the same way out.

import { createInterface } from 'node:readline'
import { runDnsCase } from '@kubewire/dns-core/cases'
import type { CaseFile, ProbeResult } from '../area.ts'
import { type InsideOptions, processBench } from './process-server.ts'

const bench = await processBench(JSON.parse(process.argv[2] ?? '{}') as InsideOptions)

for await (const line of createInterface({ input: process.stdin })) {
  const { file } = JSON.parse(line) as { file: CaseFile }
  const results = await runDnsCase(bench, file).catch((error: unknown): ProbeResult[] => [
    {
      probe: 'case',
      outcome: 'failed',
      detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
    },
  ])
  process.stdout.write(`${JSON.stringify({ results })}\n`)
}
await bench.close()
process.exit()
