import { describe, expect, it } from 'vitest'
import { closingQuote, createObjectParser, skipValue } from './json-object.ts'

const fields = [{ manager: 'a', fieldsV1: { 'f:spec': { 'k:{"port":80}': { '.': {} } } } }]

function parse(value: unknown, depth: 1 | 2 = 1): unknown {
  const bytes = Buffer.from(JSON.stringify(value))
  return createObjectParser().parse(bytes, 0, bytes.length, depth)
}

describe('an object read without its managed fields', () => {
  it.each<[string, unknown, unknown]>([
    [
      'in the middle of metadata',
      { metadata: { name: 'a', managedFields: fields, uid: 'u' }, spec: 1 },
      { metadata: { name: 'a', uid: 'u' }, spec: 1 },
    ],
    [
      'last in metadata',
      { metadata: { name: 'a', managedFields: fields }, spec: 1 },
      { metadata: { name: 'a' }, spec: 1 },
    ],
    ['first in metadata', { metadata: { managedFields: fields, name: 'a' } }, { metadata: { name: 'a' } }],
    ['alone in metadata', { metadata: { managedFields: [] } }, { metadata: {} }],
    [
      'behind characters of several bytes',
      { metadata: { name: 'ä€😀', managedFields: fields, uid: 'u' } },
      { metadata: { name: 'ä€😀', uid: 'u' } },
    ],
    [
      'kind in front',
      { kind: 'Pod', metadata: { managedFields: fields, name: 'a' } },
      { kind: 'Pod', metadata: { name: 'a' } },
    ],
    [
      'of an embedded object they stay',
      { spec: { template: { metadata: { managedFields: fields } } } },
      { spec: { template: { metadata: { managedFields: fields } } } },
    ],
    [
      'of an embedded object in metadata they stay',
      { metadata: { inner: { managedFields: fields } } },
      { metadata: { inner: { managedFields: fields } } },
    ],
    ['outside of metadata they stay', { managedFields: fields }, { managedFields: fields }],
    [
      'in a string they stay',
      { metadata: { annotations: { last: JSON.stringify({ metadata: { managedFields: fields } }) } } },
      { metadata: { annotations: { last: JSON.stringify({ metadata: { managedFields: fields } }) } } },
    ],
    ['without any', { metadata: { name: 'a' } }, { metadata: { name: 'a' } }],
  ])('%s', (_name, value, expected) => {
    expect(parse(value)).toEqual(expected)
    expect(parse({ type: 'ADDED', object: value }, 2)).toEqual({ type: 'ADDED', object: expected })
  })

  it('keeps them on request', () => {
    const bytes = Buffer.from(JSON.stringify({ metadata: { managedFields: fields } }))
    const parser = createObjectParser({ keepsManagedFields: true })
    expect(parser.parse(bytes, 0, bytes.length, 1)).toEqual({ metadata: { managedFields: fields } })
  })

  it('reads objects one after the other out of one buffer', () => {
    const one = JSON.stringify({ metadata: { name: 'a', managedFields: fields } })
    const two = JSON.stringify({ metadata: { name: 'b' } })
    const bytes = Buffer.from(one + two + one)
    const parser = createObjectParser()
    const cut = [0, one.length, one.length + two.length, bytes.length]
    const read = [0, 1, 2].map((i) => parser.parse(bytes, cut[i] as number, cut[i + 1] as number, 1))
    expect(read).toEqual([{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }, { metadata: { name: 'a' } }])
  })

  it('is a syntax error when it is cut off inside them', () => {
    const bytes = Buffer.from('{"metadata":{"name":"a","managedFields":[{"manager":"')
    expect(() => createObjectParser().parse(bytes, 0, bytes.length, 1)).toThrow(SyntaxError)
  })
})

describe('brackets and quotes', () => {
  it.each([
    ['"abc"', 4],
    ['"a\\"b"', 5],
    ['"a\\\\"b', 4],
    ['"open', Number.NEGATIVE_INFINITY],
  ])('the string in %s closes at %d', (text, at) => expect(closingQuote(Buffer.from(text), 0)).toBe(at))

  it.each([
    ['[1,[2],"]"]x', 11],
    ['{"a":"}"}', 9],
    ['[1,[2]', 6],
    ['["open', 6],
  ])('the value in %s ends at %d', (text, end) =>
    expect(skipValue(Buffer.from(text), 0, Buffer.byteLength(text))).toBe(end),
  )
})
