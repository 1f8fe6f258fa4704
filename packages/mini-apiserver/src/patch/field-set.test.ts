import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldPaths, untyped } from './field-paths.ts'
import { parseFieldSet, printFieldSet } from './field-set.ts'

const service = {
  metadata: { name: 's', labels: { a: 'b' } },
  spec: { ports: [{ name: 'http', port: 80 }], selector: { x: 'y' }, type: 'ClusterIP' },
}

describe('fields as managed fields write them', () => {
  it('an apply owns leaves, list elements by their keys, and nobody owns the name', () => {
    const paths = fieldPaths(service, { kind: 'message', name: 'core.Service' }, false)
    expect(printFieldSet(paths.keys())).toEqual({
      'f:metadata': { 'f:labels': { 'f:a': {} } },
      'f:spec': {
        'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:name': {}, 'f:port': {} } },
        'f:selector': {},
        'f:type': {},
      },
    })
  })

  it('a plain write owns what holds them as well', () => {
    const paths = fieldPaths({ data: { k: 'v' } }, { kind: 'message', name: 'core.ConfigMap' }, true)
    expect(printFieldSet(paths.keys())).toEqual({ 'f:data': { '.': {}, 'f:k': {} } })
  })

  it('reading what was printed gives the same set', () => {
    const word = fc.string({ minLength: 1, maxLength: 3 })
    const object = fc.dictionary(
      word,
      fc.oneof(word, fc.dictionary(word, fc.oneof(word, fc.dictionary(word, word, { minKeys: 1 })), { minKeys: 1 })),
    )
    fc.assert(
      fc.property(object, fc.boolean(), (value, withContainers) => {
        const paths = new Set(fieldPaths(value, untyped, withContainers).keys())
        expect(parseFieldSet(printFieldSet(paths))).toEqual(paths)
      }),
    )
  })
})
