// Keeps a report from being repeated at every relist.

import type { WatchError } from './watch-error.ts'

/** Objects whose report is remembered; beyond that some are told again. */
const rememberedReports = 1000

/** Says of each error whether it is news. */
export function createReportFilter(): { isNew(error: WatchError): boolean } {
  const seen = new Set<string>()
  return {
    isNew: (error) => {
      if (error.code !== 'INF_TRANSFORM' && error.code !== 'INF_INDEX') return true
      const identity = `${error.code} ${error.message}`
      if (seen.has(identity)) return false
      if (seen.size >= rememberedReports) seen.clear()
      seen.add(identity)
      return true
    },
  }
}
