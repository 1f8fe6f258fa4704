import { describe, expect, it } from 'vitest'
import { compareVersions, isOlder, newerVersion } from './resource-version.ts'

describe('resource versions', () => {
  it.each<[string | undefined, string | undefined, number | undefined, string]>([
    ['9', '10', -1, 'the shorter is older'],
    ['10', '9', 1, 'the longer is newer'],
    ['100', '101', -1, 'equal lengths compare as text'],
    ['7', '7', 0, 'equal texts are the same version'],
    ['12345678901234567891', '12345678901234567892', -1, 'no bound on length: twenty digits compare exactly'],
    ['', '7', undefined, 'the empty text is a request, not a version'],
    ['0', '7', undefined, 'zero is a request, not a version'],
    ['0', '0', undefined, 'zero does not even equal itself'],
    ['07', '8', undefined, 'a leading zero makes it no version'],
    ['7a', '8', undefined, 'letters make it no version'],
    [undefined, '8', undefined, 'a missing version compares with nothing'],
  ])('%s and %s: %s, %#: %s', (a, b, order) => {
    const compared = compareVersions(a, b)
    expect(compared === undefined ? undefined : Math.sign(compared)).toBe(order)
  })

  it.each<[string | undefined, string | undefined, string, string]>([
    ['7', '9', '9', 'moves forward'],
    ['9', '7', '9', 'does not move back'],
    [undefined, '7', '7', 'starts'],
    ['7', '', '7', 'an empty version changes nothing'],
    ['7', undefined, '7', 'a missing version changes nothing'],
    ['7', 'x', 'x', 'what cannot be compared is believed'],
  ])('from %s to %s is %s: it %s', (current, next, newer) => expect(newerVersion(current, next)).toBe(newer))

  it('says older only when that is certain', () => {
    expect([isOlder('7', '8'), isOlder('8', '8'), isOlder('x', '8')]).toEqual([true, false, false])
  })
})
