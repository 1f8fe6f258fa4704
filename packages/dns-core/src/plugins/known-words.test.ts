// Words that only the original's tables know, and words that look like some.

import { expect, it } from 'vitest'
import { classWord, rcodeWord, typeWord } from './known-words.ts'

it.each([
  [typeWord, 'AAAA', 28],
  [typeWord, 'aaaa', undefined],
  [typeWord, 'None', 0],
  [typeWord, 'NONE', undefined],
  [typeWord, 'Reserved', 65535],
  [typeWord, 'RESINFO', 261],
  [typeWord, 'TYPE28', undefined],
  [typeWord, 'TYPE65280', undefined],
  [classWord, 'CH', 3],
  [classWord, 'CS', 2],
  [classWord, 'NONE', 254],
  [classWord, 'CLASS1', undefined],
  [classWord, 'CLASS9', undefined],
  [rcodeWord, 'NXDOMAIN', 3],
  [rcodeWord, 'nxdomain', undefined],
  [rcodeWord, 'NOTIMPL', 4],
  [rcodeWord, 'BADSIG', 16],
  [rcodeWord, 'BADVERS', undefined],
  [rcodeWord, 'toString', undefined],
] as const)('%o of %s is %s', (read, word, number) => {
  expect(read(word)).toBe(number)
})
