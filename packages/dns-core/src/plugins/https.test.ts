// Directives that CoreDNS 1.15.0 takes, and its words for those it refuses.

import { describe, expect, it } from 'vitest'
import { problemsOf } from '../testing/ask-corefile.ts'

const at = (line: number, text: string): string[] => [`plugin/https: Corefile:${line} - Error during parsing: ${text}`]

describe('https', () => {
  it.each([
    ['is taken alone', 'https', []],
    ['is taken with a number', 'https {\nmax_connections 5\n}', []],
    ['is taken with 0', 'https {\nmax_connections 0\n}', []],
    ['refuses an argument', 'https x', at(2, "Wrong argument count or unexpected line ending after 'x'")],
    [
      'refuses what is no number',
      'https {\nmax_connections x\n}',
      at(3, `invalid max_connections value 'x': strconv.Atoi: parsing "x": invalid syntax`),
    ],
    [
      'refuses less than none',
      'https {\nmax_connections -1\n}',
      at(3, 'max_connections must be a non-negative integer: -1'),
    ],
    [
      'refuses two numbers',
      'https {\nmax_connections 5\nmax_connections 6\n}',
      at(4, 'max_connections already defined for this server block'),
    ],
    ['refuses an unknown word', 'https {\nfoo\n}', at(3, "unknown property 'foo'")],
  ])('%s', (_name, lines, problems) => {
    expect(problemsOf(`https://.:8443 {\n${lines}\n}`)).toEqual(problems)
  })
})
