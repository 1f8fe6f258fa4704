// Directives that CoreDNS takes or refuses, recorded from the program: ours says the same in the same words, but for the
// nearest known name that it adds.

// biome-ignore lint/style/noRestrictedImports: the package reads no files, its recorded data is one.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { printCorefileProblem } from './corefile-problem.ts'
import { noSurroundings } from './parse.ts'
import { serverPlans } from './server-plans.ts'

const recorded = readFileSync(new URL('./testdata/refusals.txt', import.meta.url), 'utf8')
const rows = recorded
  .split('\n\n')
  .slice(1)
  .map((text) => text.trim().split('\n=> ') as [directive: string, said: string])

describe('a directive', () => {
  it('is there in hundreds', () => {
    expect(rows.length).toBeGreaterThan(500)
  })

  it.each(rows)('%j: %s', (directive, said) => {
    const text = `.:1053 {\n${directive}\n}\n`
    const options = { fileName: 'Corefile', root: '', defaultPort: 53, surroundings: noSurroundings }
    const problems = serverPlans(text, options).problems.map(printCorefileProblem)
    const withoutHints = problems.map((problem) => problem.replace(/, did you mean '[^']*'\?/, ''))
    // The original stops at its first problem, ours goes on.
    expect(withoutHints.slice(0, 1)).toEqual(said === 'accepted' ? [] : [said])
  })
})

describe('what a problem shows', () => {
  it.each([
    ['control characters escaped', '"a\u0007\u001bb"', "Unknown directive 'a\\u0007\\u001bb'"],
    ['long words cut', `x${'y'.repeat(200)}`, `Unknown directive 'x${'y'.repeat(79)}…'`],
  ])('has %s', (_name, word, shown) => {
    const options = { fileName: 'Corefile', root: '', defaultPort: 53, surroundings: noSurroundings }
    const [problem] = serverPlans(`.:1053 {\n${word}\n}\n`, options).problems
    expect(problem?.message).toContain(shown)
  })
})
