// The DNS area of the conformance runner.

import type { Area, AreaRun, RunOptions } from '../area.ts'
import { isDnsCase, unknownCaseKeys } from './dns-case.ts'
import { libraryBench } from './library-server.ts'
import { openRealRun } from './real-run.ts'
import { runDnsCase } from './run-dns-case.ts'

export const area: Area = {
  name: 'dns',
  suites: ['dns', 'dns-recorded', 'field/dns'],
  claims: isDnsCase,
  unknownKeys: (file) => unknownCaseKeys(file.data),
  open: (options) => (options.via === 'library' ? openLibraryRun(options) : openRealRun(options)),
}

async function openLibraryRun(options: RunOptions): Promise<AreaRun> {
  if (options.target !== 'ours') throw new Error('the original has no library: leave --via library out')
  const bench = libraryBench()
  return { runCase: (file) => runDnsCase(bench, file), close: () => bench.close() }
}
