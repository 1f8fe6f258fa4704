import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forceQuotes, quoteWord, splitWords } from './words.ts'

describe('words', () => {
  it.each([
    ['-m comment --comment "two words" -j X', ['-m', 'comment', '--comment', 'two words', '-j', 'X']],
    ['--comment "a \\"quote\\" and a \\\\ here"', ['--comment', 'a "quote" and a \\ here']],
    ['a  b\tc ', ['a', 'b', 'c']],
    ['x "" y', ['x', '', 'y']],
  ])('%s', (line, words) => expect(splitWords(line)).toEqual(words))

  it('come back from quotes as they were, without control characters', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', minLength: 1 })), (words) => {
        const plain = words.map((word) => word.replaceAll(/[\u0000-\u001f\u007f]/g, ' '))
        expect(splitWords(words.map(quoteWord).join(' '))).toEqual(plain)
        expect(splitWords(words.map(forceQuotes).join(' '))).toEqual(plain)
      }),
    )
  })
})
