import { describe, expect, it } from 'vitest'
import { parseLabelSelector } from './label-selector.ts'

describe('label selectors that are refused', () => {
  it.each([
    ['a===b', "found '=', expected: identifier"],
    [',', "found ','"],
    ['rank>x', 'the value must be an integer'],
    ['tier=-x', 'a valid label must be an empty string or consist of'],
    ['a b', "found 'a b'"],
  ])('%s: %s', (text, wanted) => {
    expect(() => parseLabelSelector(text)).toThrow(wanted)
  })
})
