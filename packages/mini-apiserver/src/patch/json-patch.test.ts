import { describe, expect, it } from 'vitest'
import { applyJsonPatch, JsonPatchError } from './json-patch.ts'

const document = { a: { b: [1, 2, 3] }, 'x/y': 1, 'm~n': 2 }

describe('JSON patch (RFC 6902)', () => {
  it.each([
    ['add inserts into a list', [{ op: 'add', path: '/a/b/1', value: 9 }], { a: { b: [1, 9, 2, 3] } }],
    ['add with a dash appends', [{ op: 'add', path: '/a/b/-', value: 9 }], { a: { b: [1, 2, 3, 9] } }],
    ['remove', [{ op: 'remove', path: '/a/b/0' }], { a: { b: [2, 3] } }],
    ['replace', [{ op: 'replace', path: '/a', value: 1 }], { a: 1 }],
    ['replace of the whole', [{ op: 'replace', path: '', value: { z: 1 } }], { z: 1 }],
    ['move', [{ op: 'move', from: '/a/b', path: '/c' }], { a: {}, c: [1, 2, 3] }],
    ['copy', [{ op: 'copy', from: '/a/b/0', path: '/c' }], { a: { b: [1, 2, 3] }, c: 1 }],
    ['a test that holds', [{ op: 'test', path: '/a/b', value: [1, 2, 3] }], { a: { b: [1, 2, 3] } }],
    [
      'keys with slash and tilde',
      [
        { op: 'replace', path: '/x~1y', value: 5 },
        { op: 'remove', path: '/m~0n' },
      ],
      { 'x/y': 5 },
    ],
  ])('%s', (_name, operations, wanted) => {
    expect(applyJsonPatch(document, operations as never)).toMatchObject(wanted)
    expect(document.a.b).toEqual([1, 2, 3])
  })

  it.each([
    ['a path that is not there', { op: 'remove', path: '/nope' }],
    ['an index past the end', { op: 'add', path: '/a/b/9', value: 1 }],
    ['an index with a leading zero', { op: 'remove', path: '/a/b/01' }],
    ['a test that fails', { op: 'test', path: '/a', value: 1 }],
    ['an operation that does not exist', { op: 'jump', path: '/a' }],
    ['a path without a slash', { op: 'remove', path: 'a' }],
    ['removing the whole', { op: 'remove', path: '' }],
    ['a prototype as path', { op: 'replace', path: '/__proto__', value: 1 }],
  ])('refuses %s', (_name, operation) => {
    expect(() => applyJsonPatch(document, [operation] as never)).toThrow(JsonPatchError)
  })
})
