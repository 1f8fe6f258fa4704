import { expect, it } from 'vitest'
import { literalStart } from './literal-start.ts'

const rows: readonly (readonly [fact: string, pattern: string, start: string])[] = [
  ['a plain path is all constant, in lower case', '/Tea/Cup', '/tea/cup'],
  ['it ends where a group begins', '/tea(/|$)(.*)', '/tea'],
  ['a character that may be missing is not part of it', '/teas?', '/tea'],
  ['neither is one that may come several times or not at all', '/tea*/x', '/te'],
  ['a dot is any character', '/tea.cup', '/tea'],
  ['a choice at the top level has no start', '/tea|/milk', ''],
  ['one in a group or a class does not matter', '/a[|](x|y)', '/a'],
  ['switches may change everything', '(?x) / tea', ''],
  ['so may quoted text', '/tea\\Q(\\E|/milk', ''],
]
it.each(rows)('%s', (_, pattern, start) => {
  expect(literalStart(pattern)).toBe(start)
})
