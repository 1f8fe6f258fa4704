// A directive that is only checked.

import { describe, expect, it } from 'vitest'
import { problemsOf } from '../testing/ask-corefile.ts'

describe('multisocket', () => {
  it.each([
    ['is taken without a number', 'multisocket', []],
    ['is taken with one', 'multisocket 4', []],
    ['refuses none', 'multisocket 0', ['plugin/multisocket: num sockets can not be zero or negative: 0']],
    ['refuses too many', 'multisocket 2000', ['plugin/multisocket: num sockets exceeds maximum (1024): 2000']],
    [
      'refuses what is no number',
      'multisocket x',
      ['plugin/multisocket: invalid num sockets: strconv.Atoi: parsing "x": invalid syntax'],
    ],
  ])('%s', (_name, line, problems) => {
    expect(problemsOf(`.:53 {\n${line}\n}`)).toEqual(problems)
  })
})
