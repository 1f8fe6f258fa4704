// The area `proxy`: suites proxy, field/proxy, proxy-recorded and proxy-nftables-recorded.

import { type CaseDriver, createLibraryDriver, type ProxyCase, runProxyCase } from '@kubewire/iptables-gen/cases'
import { whyNoNetns } from '../../harness/netns.ts'
import type { Area, AreaRun, CaseFile, RunOptions } from '../area.ts'
import { isProxyCase, unknownCaseKeys, wordFormat } from './case-file.ts'
import { configureAsDaemon } from './configure.ts'
import { runWordCase } from './words/registry.ts'

export const area: Area = {
  name: 'proxy',
  suites: ['proxy', 'field/proxy', 'proxy-recorded', 'proxy-nftables-recorded'],
  claims: isProxyCase,
  unknownKeys: unknownCaseKeys,
  open,
}

async function open(options: RunOptions): Promise<AreaRun> {
  const driver = await driverFor(options)
  return {
    async runCase(file: CaseFile) {
      const format = wordFormat(file)
      if (format !== undefined) return runWordCase(format, file)
      return runProxyCase(driver, file.data as unknown as ProxyCase)
    },
    close: () => driver.close(),
  }
}

async function driverFor(options: RunOptions): Promise<CaseDriver> {
  if (options.via === 'library') return createLibraryDriver(configureAsDaemon)
  const reason = whyNoNetns()
  if (reason !== undefined) throw new Error(reason)
  // Brings daemons and namespaces along; the library runs do without.
  const { createRealDriver } = await import('./real-driver.ts')
  return createRealDriver(options)
}
