// Every suite of an area through the libraries, one test per case file. What is known to fail is listed in
// known-failures/; anything else that fails, and anything listed that passes, fails the test.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Area, AreaRun, RunOptions } from './area.ts'
import { loadArea } from './area-table.ts'
import { casesOfArea } from './find-cases.ts'
import { compareWithKnown, readKnownFailures } from './known-failures.ts'
import { faultOfFile, runCase } from './run-cases.ts'

const options: RunOptions = { target: 'ours', api: 'mini', via: 'library', settings: {}, progress: () => {} }
const caseLimitMs = 60_000

/** Declares the tests of one area. */
export async function describeLibrary(name: Area['name']): Promise<void> {
  const area = await loadArea(name).catch((error: Error) => error)
  describe(`${name} cases through the libraries`, () => {
    if (area instanceof Error) {
      it('the area exists', () => expect.fail(area.message))
      return
    }
    const { cases, broken } = casesOfArea(area)
    const known = readKnownFailures(name, 'library')
    const sums = { passed: 0, failed: 0, skipped: 0 }
    let run: AreaRun | undefined
    beforeAll(async () => {
      run = await area.open(options)
    }, 60_000)
    afterAll(async () => {
      await run?.close()
      console.log(`${name} via library: probes ${sums.passed} passed, ${sums.failed} failed, ${sums.skipped} skipped`)
    })

    it('every file can be read', () => expect(broken).toEqual([]))

    it.each(cases.map((file) => [`${file.suite}/${file.name}`, file] as const))(
      '%s',
      async (id, file) => {
        if (run === undefined) throw new Error('the area is not open')
        const fault = faultOfFile(area, file)
        const { probes } =
          fault === undefined
            ? await runCase(run, file, caseLimitMs)
            : { probes: [{ probe: 'keys', outcome: 'failed' as const, detail: fault }] }
        for (const { outcome } of probes) sums[outcome] += 1
        expect(compareWithKnown(id, probes, known).news.join('\n')).toBe('')
      },
      caseLimitMs + 5000,
    )

    it('the list of known failures names only files that exist', () => {
      const ids = new Set(cases.map((file) => `${file.suite}/${file.name}`))
      expect([...known].filter((line) => !ids.has(line.slice(0, line.indexOf(': '))))).toEqual([])
    })
  })
}
