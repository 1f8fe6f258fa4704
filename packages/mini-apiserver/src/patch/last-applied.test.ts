import { describe, expect, it } from 'vitest'
import { withLastApplied } from './last-applied.ts'

const annotation = 'kubectl.kubernetes.io/last-applied-configuration'

describe('the annotation of client-side apply', () => {
  it.each([
    [
      'is rewritten, keys in order, without itself',
      { spec: { b: [{ d: 1, c: 2 }], a: null }, metadata: { name: 'x', annotations: { [annotation]: 'old' } } },
      '{"metadata":{"name":"x"},"spec":{"a":null,"b":[{"c":2,"d":1}]}}\n',
    ],
    [
      'keeps the other annotations',
      { metadata: { annotations: { note: 'hello' } } },
      '{"metadata":{"annotations":{"note":"hello"}}}\n',
    ],
  ])('%s', (_name, config, text) => {
    const live = { metadata: { name: 'x', annotations: { [annotation]: 'old', other: 'kept' } } }
    expect(withLastApplied(live, config)).toEqual({
      metadata: { name: 'x', annotations: { [annotation]: text, other: 'kept' } },
    })
  })

  it('is not made where there was none', () => {
    const live = { metadata: { name: 'x', annotations: { other: 'kept' } } }
    expect(withLastApplied(live, { metadata: {} })).toBe(live)
  })
})
