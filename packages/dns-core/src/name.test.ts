import { describe, expect, it } from 'vitest'
import { compareNames, foldName, isUnder, isValidName, labelsOf, longestZone, parentName } from './name.ts'

describe('names', () => {
  it.each([
    ['example.org.', 'a.example.org.', true, 'a name below its zone'],
    ['example.org.', 'example.org.', true, 'the apex'],
    ['.', 'anything.', true, 'everything is below the root'],
    ['example.org.', 'badexample.org.', false, 'a longer label'],
    ['lab.', 'one\\.lab.', false, 'an escaped dot separates nothing'],
    ['lab.', 'one\\\\.lab.', true, 'an escaped backslash before a dot'],
  ])('%s holds %s: %s (%s)', (zone, name, expected) => {
    expect(isUnder(zone, name)).toBe(expected)
  })

  it('splits labels at unescaped dots only', () => {
    expect(labelsOf('a\\.b.c.')).toEqual(['a\\.b', 'c'])
    expect(parentName('a\\.b.c.')).toBe('c.')
    expect(parentName('.')).toBe('.')
  })

  it('picks the longest zone', () => {
    expect(longestZone(['.', 'org.', 'example.org.'], 'a.example.org.')).toBe('example.org.')
    expect(longestZone(['net.'], 'a.example.org.')).toBeUndefined()
  })

  it('knows the limits of the wire', () => {
    expect(isValidName(`${'a'.repeat(63)}.org`)).toBe(true)
    expect(isValidName(`${'a'.repeat(64)}.org`)).toBe(false)
    expect(isValidName(`${'a.'.repeat(127)}`)).toBe(true)
    expect(isValidName(`${'a.'.repeat(128)}`)).toBe(false)
    expect(isValidName('a..b')).toBe(false)
  })

  it('orders names from the right', () => {
    expect(['b.a.', 'a.b.', 'a.'].sort(compareNames)).toEqual(['a.', 'b.a.', 'a.b.'])
    expect(foldName('ExAmple.')).toBe('example.')
  })
})
