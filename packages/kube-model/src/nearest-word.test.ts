import { describe, expect, it } from 'vitest'
import { nearestWord } from './nearest-word.ts'

describe('the word that was meant', () => {
  it.each([
    ['kuberntes', 'kubernetes', 'a letter is missing'],
    ['cahce', 'cache', 'two letters are swapped'],
    ['error', 'errors', 'one edit beats two'],
    ['hots', 'hosts', 'a letter is missing in a short word'],
  ])('of %s is %s: %s', (word, meant) => {
    expect(nearestWord(word, ['any', 'kubernetes', 'cache', 'errors', 'hosts'])).toBe(meant)
  })

  it.each([
    ['prometheus', 'three edits are too many'],
    ['on', 'a word as short as the distance says nothing'],
  ])('of %s is none: %s', (word) => expect(nearestWord(word, ['promote', 'up'])).toBeUndefined())
})
