// The area `proxy`: suites proxy, field/proxy, proxy-recorded and proxy-nftables-recorded.

import { whyNoNetns } from '../../harness/netns.ts'
import type { Area, AreaRun, CaseFile, RunOptions } from '../area.ts'
import { isProxyCase, type ObjectCase, unknownCaseKeys, wordFormat } from './case-file.ts'
import type { Driver } from './driver.ts'
import { createLibraryDriver } from './library-driver.ts'
import { runObjectCase } from './run-object-case.ts'
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
      return runObjectCase(driver, file.data as unknown as ObjectCase)
    },
    close: () => driver.close(),
  }
}

async function driverFor(options: RunOptions): Promise<Driver> {
  if (options.via === 'library') return createLibraryDriver()
  const reason = whyNoNetns()
  if (reason !== undefined) throw new Error(reason)
  // Brings daemons and namespaces along; the library runs do without.
  const { createRealDriver } = await import('./real-driver.ts')
  return createRealDriver(options)
}
