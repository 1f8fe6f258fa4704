import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePageToken, printPageToken } from './page-token.ts'

const tokenOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('page tokens', () => {
  it('come back as they went', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1 }), fc.stringMatching(/^[a-z]{1,8}(\/[a-z]{1,8})?\0$/), (version, start) => {
        expect(parsePageToken(printPageToken({ version, start }))).toEqual({ version, start })
      }),
    )
  })

  it.each([
    ['no base64 of JSON', 'abc', /continue key is not valid/],
    [
      'another format',
      tokenOf({ v: 'meta.k8s.io/v2', rv: 5, start: 'a' }),
      /does not recognize this encoded version meta.k8s.io\/v2/,
    ],
    ['no version', tokenOf({ v: 'meta.k8s.io/v1', rv: 0, start: 'a' }), /incorrect encoded start resourceVersion/],
    ['no key', tokenOf({ v: 'meta.k8s.io/v1', rv: 5, start: '' }), /encoded start key empty/],
    [
      'a way out of the collection',
      tokenOf({ v: 'meta.k8s.io/v1', rv: 5, start: '../secrets/' }),
      /continue key is not valid/,
    ],
    ['a list', tokenOf([]), /not an object/],
  ])('refuses %s', (_name, token, wanted) => {
    expect(() => parsePageToken(token)).toThrow(wanted)
  })
})
