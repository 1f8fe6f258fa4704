// A vitest reporter that writes how many tests passed, failed and were skipped to the file named in KUBEWIRE_COUNTS,
// for `tools/test.mjs` to add up.

import { writeFileSync } from 'node:fs'
import type { SerializedError } from 'vitest'
import type { Reporter, TestModule } from 'vitest/node'

/** Counts at the end of a run. Errors outside of tests (a hook, an import, a stray rejection) are failures. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0 }
    for (const module of modules) {
      counts.failed += module.errors().length
      for (const suite of module.children.allSuites()) counts.failed += suite.errors().length
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        counts[state === 'pending' ? 'failed' : state] += 1
      }
    }
    const file = process.env['KUBEWIRE_COUNTS']
    if (file !== undefined) writeFileSync(file, JSON.stringify(counts))
  }
}
