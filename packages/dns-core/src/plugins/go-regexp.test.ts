// Go expressions: what they match in JavaScript, and what Go says about those that do not compile.

import { describe, expect, it } from 'vitest'
import { compileGoRegexp } from './go-regexp.ts'

describe('a Go expression', () => {
  it.each([
    ['^(?P<host>[a-z]+)[.]example[.]$', 'tea.example.', ['tea.example.', 'tea']],
    ['(?i)TEA', 'tea', ['tea']],
    ['\\Atea\\z', 'tea', ['tea']],
    ['[[:alpha:]]+[[:digit:]]', 'tea5', ['tea5']],
    ['[]a]+', ']a', [']a']],
    ['\\Qa.b\\E+', 'a.bb', ['a.bb']],
    ['a{2,3}', 'aaaa', ['aaa']],
    ['a{', 'a{', ['a{']],
    ['\\x61\\x{62}', 'ab', ['ab']],
    ['(?:a|b)c', 'bc', ['bc']],
    ['^ip-(?P<a>[0-9]*)-(?P<b>[0-9]*)', 'ip-10-9.', ['ip-10-9', '10', '9']],
  ])('%s matches %s', (pattern, text, groups) => {
    const compiled = compileGoRegexp(pattern)
    if ('error' in compiled) expect.fail(compiled.error)
    expect([...(compiled.exec(text) ?? [])]).toEqual(groups)
  })

  it.each([
    ['(', 'missing closing ): `(`'],
    ['a)', 'unexpected ): `a)`'],
    ['[a', 'missing closing ]: `[a`'],
    ['*a', 'missing argument to repetition operator: `*`'],
    ['a**', 'invalid nested repetition operator: `**`'],
    ['a{1001}', 'invalid repeat count: `{1001}`'],
    ['(?=x)', 'invalid or unsupported Perl syntax: `(?=`'],
    ['(a)\\1', 'invalid escape sequence: `\\1`'],
    ['a\\', 'trailing backslash at end of expression: ``'],
    ['[z-a]', 'invalid character class range: `z-a`'],
  ])('%s does not compile', (pattern, message) => {
    expect(compileGoRegexp(pattern)).toEqual({ error: `error parsing regexp: ${message}` })
  })
})
