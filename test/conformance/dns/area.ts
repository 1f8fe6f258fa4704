// The DNS area of the conformance runner.

import { createLibraryBench, dnsCaseKeys, isDnsCase, runDnsCase } from '@kubewire/dns-core/cases'
import { printCasePath, unknownKeys } from '@kubewire/kube-model/cases'
import type { Area, AreaRun, RunOptions } from '../area.ts'
import { openRealRun } from './real-run.ts'

export const area: Area = {
  name: 'dns',
  suites: ['dns', 'dns-recorded', 'field/dns'],
  claims: isDnsCase,
  unknownKeys: (file) => unknownKeys(file.data, dnsCaseKeys).map(printCasePath),
  open: (options) => (options.via === 'library' ? openLibraryRun(options) : openRealRun(options)),
}

async function openLibraryRun(options: RunOptions): Promise<AreaRun> {
  if (options.target !== 'ours') throw new Error('the original has no library: leave --via library out')
  const bench = createLibraryBench()
  return { runCase: (file) => runDnsCase(bench, file), close: () => bench.close() }
}
