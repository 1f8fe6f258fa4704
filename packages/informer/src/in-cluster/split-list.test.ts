import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createListSplitter } from './split-list.ts'

function read(bytes: Buffer, cuts: readonly number[] = []): { items: unknown[]; envelope: unknown } {
  const splitter = createListSplitter({ keepsManagedFields: true })
  const items: unknown[] = []
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  let from = 0
  for (const to of ends) {
    items.push(...splitter.push(bytes.subarray(from, to)))
    from = to
  }
  const end = splitter.end()
  return { items: [...items, ...end.items], envelope: end.envelope }
}

const everyByte = (text: string): number[] => Array.from({ length: Buffer.byteLength(text) }, (_, at) => at)
const meta = { resourceVersion: '7', continue: 'abc' }
const nested = { metadata: { name: 'a' }, spec: [{ metadata: { name: 'x' } }, { metadata: { name: 'y' } }] }

describe('a list cut into items', () => {
  it.each<[string, string, unknown[], unknown]>([
    [
      'metadata in front, as built-in kinds have it',
      JSON.stringify({
        kind: 'ServiceList',
        metadata: meta,
        items: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }],
      }),
      [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }],
      { kind: 'ServiceList', metadata: meta, items: [] },
    ],
    [
      'metadata behind, as custom resources have it',
      JSON.stringify({
        apiVersion: 'v1',
        items: [
          { apiVersion: 'v1', a: 1 },
          { apiVersion: 'v1', a: 2 },
        ],
        kind: 'XList',
        metadata: meta,
      }),
      [
        { apiVersion: 'v1', a: 1 },
        { apiVersion: 'v1', a: 2 },
      ],
      { apiVersion: 'v1', items: [], kind: 'XList', metadata: meta },
    ],
    ['no items', JSON.stringify({ metadata: meta, items: [] }), [], { metadata: meta, items: [] }],
    [
      'items that are null, as Go writes an empty slice',
      JSON.stringify({ metadata: meta, items: null }),
      [],
      { metadata: meta, items: null },
    ],
    ['a document without items', JSON.stringify({ metadata: meta }), [], { metadata: meta }],
    [
      'indented',
      JSON.stringify({ metadata: meta, items: [{ a: [1, 2] }, { a: '}]' }] }, undefined, 2),
      [{ a: [1, 2] }, { a: '}]' }],
      { metadata: meta, items: [] },
    ],
    [
      'an item that contains what lies between items',
      JSON.stringify({ items: [nested, nested, { metadata: { name: 'b' } }] }),
      [nested, nested, { metadata: { name: 'b' } }],
      { items: [] },
    ],
    [
      'items that begin differently',
      JSON.stringify({ items: [{ metadata: {} }, { kind: 'X', metadata: {} }, { metadata: { z: 1 } }] }),
      [{ metadata: {} }, { kind: 'X', metadata: {} }, { metadata: { z: 1 } }],
      { items: [] },
    ],
    ['empty objects', '{"items":[{},{}]}', [{}, {}], { items: [] }],
    [
      'brackets, quotes and backslashes in strings',
      JSON.stringify({ items: [{ a: '"}],{"a":' }, { a: '\\' }, { a: '\\"' }] }),
      [{ a: '"}],{"a":' }, { a: '\\' }, { a: '\\"' }],
      { items: [] },
    ],
    [
      'a key called items elsewhere',
      JSON.stringify({ metadata: { items: [1] }, items: [{ items: [2] }] }),
      [{ items: [2] }],
      { metadata: { items: [1] }, items: [] },
    ],
    ['a value called items', '{"kind":"items","items":[{"a":1}]}', [{ a: 1 }], { kind: 'items', items: [] }],
    [
      'characters of several bytes',
      JSON.stringify({ items: [{ 'ä€': '😀' }, { 'ä€': 'é' }] }),
      [{ 'ä€': '😀' }, { 'ä€': 'é' }],
      { items: [] },
    ],
  ])('%s', (_name, text, items, envelope) => {
    expect(read(Buffer.from(text))).toEqual({ items, envelope })
    expect(read(Buffer.from(text), everyByte(text)), 'byte by byte').toEqual({ items, envelope })
  })

  it('is what JSON.parse reads, however the bytes are cut', () => {
    const value = fc.jsonValue({ maxDepth: 3 })
    const item = fc.dictionary(fc.oneof(fc.constantFrom('metadata', 'items', 'a"b', '\\'), fc.string()), value, {
      maxKeys: 4,
    })
    const spaces = fc.constantFrom(undefined, 1)
    fc.assert(
      fc.property(
        fc.array(item, { maxLength: 6 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        fc.boolean(),
        spaces,
        (items, cuts, isBehind, indent) => {
          const list = isBehind ? { items, metadata: meta } : { metadata: meta, items }
          const found = read(Buffer.from(JSON.stringify(list, undefined, indent)), cuts)
          expect(JSON.stringify(found.items)).toBe(JSON.stringify(items))
          expect(found.envelope).toEqual({ metadata: meta, items: [] })
        },
      ),
      { numRuns: 500 },
    )
  })

  it.each([
    ['half a document', '{"metadata":{},"items":[{"a":1},{"a"'],
    ['a document without its last bracket', '{"metadata":{},"items":[{"a":1}]'],
    ['HTML', '<html>502</html>'],
    ['nothing', ''],
    ['an item that is no JSON', '{"items":[{"a":1},{"a":x},{"a":2}]}'],
  ])('%s is a syntax error', (_name, text) => expect(() => read(Buffer.from(text))).toThrow(SyntaxError))

  it('hands an item on as soon as the next one begins', () => {
    const splitter = createListSplitter()
    expect(splitter.push(Buffer.from('{"items":[{"a":1},{"a":2},{"a":'))).toEqual([{ a: 1 }, { a: 2 }])
    expect(splitter.push(Buffer.from('3},{"a":4}]}'))).toEqual([{ a: 3 }])
    expect(splitter.end()).toEqual({ items: [{ a: 4 }], envelope: { items: [] } })
  })
})
