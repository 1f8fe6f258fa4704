import { describe, expect, it } from 'vitest'
import { anyOf, type CaseKeys, printCasePath, unknownKeys } from './unknown-keys.ts'

const keys: CaseKeys = { ...anyOf('about cluster'), queries: { q: 'any', expect: anyOf('rcode') } }

describe('keys that a format does not have', () => {
  it.each<[string, unknown, readonly string[]]>([
    ['a file of known keys has none', { about: 'x', queries: [{ q: 'a', expect: { rcode: 'NOERROR' } }] }, []],
    [
      'a misspelt key is named with its place',
      { queries: [{ q: 'a' }, { q: 'b', expect: { rcod: 1 } }] },
      ['queries[1].expect.rcod'],
    ],
    ['what is not looked at may hold anything', { cluster: [{ kind: 'Service', spec: { x: 1 } }] }, []],
    ['every unknown key is named, in the order of the file', { b: 1, queries: { z: 1 } }, ['b', 'queries.z']],
    ['a name that every object inherits is unknown too', { constructor: 1 }, ['constructor']],
  ])('%s', (_, value, wanted) => {
    expect(unknownKeys(value, keys).map(printCasePath)).toEqual(wanted)
  })
})
