import { describe, expect, it } from 'vitest'
import type { ApiObject } from '../api-object.ts'
import { createLabelIndex } from './label-index.ts'

function pod(name: string, labels: { [key: string]: string }, namespace: string = 'shop'): ApiObject {
  return { kind: 'Pod', apiVersion: 'v1', metadata: { name, namespace, labels } }
}

describe('objects by their labels', () => {
  const index = createLabelIndex()
  const blue = pod('b', { app: 'tea', color: 'blue' })
  index.replace(undefined, blue)
  index.replace(undefined, pod('a', { app: 'tea', color: 'red' }))
  index.replace(undefined, pod('a', { app: 'tea' }, 'other'))
  const found = (labels: { [key: string]: string }, namespace: string = 'shop') =>
    index.matching(namespace, labels).map(({ metadata }) => metadata.name)

  it.each([
    ['one label, in key order', { app: 'tea' }, ['a', 'b']],
    ['all labels asked for', { app: 'tea', color: 'blue' }, ['b']],
    ['another value', { app: 'coffee' }, []],
    ['one label that nothing has', { app: 'tea', tier: 'front' }, []],
    ['no label at all', {}, []],
  ])('are found by %s', (_name, labels, names) => {
    expect(found(labels)).toEqual(names)
  })

  it('move when their labels change, and go when they go', () => {
    const red = pod('b', { app: 'tea', color: 'red' })
    index.replace(blue, red)
    expect(found({ color: 'blue' })).toEqual([])
    expect(found({ color: 'red' })).toEqual(['a', 'b'])
    index.replace(red, undefined)
    expect(found({ color: 'red' })).toEqual(['a'])
    index.clear()
    expect(found({ app: 'tea' }, 'other')).toEqual([])
  })
})
