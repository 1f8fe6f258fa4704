import { expect, test } from 'vitest'
import { flattenValue } from './flatten-value.ts'

test.each<[string, unknown, readonly (readonly [string, string])[]]>([
  [
    'fields of fields are named by their path',
    { cookie: { age: 60 }, isOn: true },
    [
      ['cookie.age', '60'],
      ['isOn', 'true'],
    ],
  ],
  [
    'a list of plain values is one leaf, an empty one too',
    { codes: [404, 503], none: [] },
    [
      ['codes', '404, 503'],
      ['none', 'none'],
    ],
  ],
  ['a list of lists is JSON', { headers: [['X-A', '1']] }, [['headers', '[["X-A","1"]]']]],
  ['what is not set has no leaf', { a: undefined, b: null }, []],
  [
    'texts stay on one line, and the empty one is seen',
    { a: 'x\ny', b: '' },
    [
      ['a', '"x\\ny"'],
      ['b', '""'],
    ],
  ],
])('%s', (_name, value, leaves) => {
  expect([...flattenValue(value)]).toEqual(leaves)
})
