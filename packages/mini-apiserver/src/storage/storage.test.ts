import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ApiObject } from '../api-object.ts'
import { createStorage } from './storage.ts'

const object = (name: string, data = '1'): ApiObject => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name, namespace: 'n' },
  data: { k: data },
})
const names = (objects: readonly ApiObject[] | undefined) => objects?.map(({ metadata }) => metadata.name)

describe('storage', () => {
  it('gives every write a version of its own, and a deletion one as well', () => {
    const storage = createStorage({ firstVersion: 10 })
    expect(storage.put('configmaps', object('a')).metadata.resourceVersion).toBe('11')
    expect(storage.put('configmaps', object('a', '2')).metadata.resourceVersion).toBe('12')
    expect(storage.remove('configmaps', 'n/a')?.metadata.resourceVersion).toBe('13')
    expect(storage.remove('configmaps', 'n/a')).toBeUndefined()
  })

  it('shows the objects of an earlier version until that is compacted', () => {
    const storage = createStorage()
    const first = Number(storage.put('configmaps', object('b')).metadata.resourceVersion)
    storage.put('configmaps', object('a'))
    storage.remove('configmaps', 'n/b')
    const collection = storage.collection('configmaps')
    expect(names(collection.list())).toEqual(['a'])
    expect(names(collection.listAt(first + 1))).toEqual(['a', 'b'])
    expect(names(collection.listAt(first))).toEqual(['b'])
    storage.compact()
    expect(collection.listAt(first)).toBeUndefined()
    expect(collection.changesAfter(first)).toBeUndefined()
    expect(collection.changesAfter(storage.version())).toEqual([])
  })

  it('forgets the oldest changes when the history is full', () => {
    const storage = createStorage({ historySize: 5 })
    const first = Number(storage.put('configmaps', object('a')).metadata.resourceVersion)
    for (let i = 0; i < 20; i++) storage.put('configmaps', object('a', String(i)))
    expect(storage.collection('configmaps').changesAfter(first)).toBeUndefined()
    expect(storage.collection('configmaps').changesAfter(storage.version() - 3)).toHaveLength(3)
  })

  it('a young resource has no history before its birth', () => {
    const storage = createStorage({ firstVersion: 100 })
    storage.put('configmaps', object('a'))
    expect(storage.collection('widgets').changesAfter(100)).toBeUndefined()
    expect(storage.collection('widgets').changesAfter(101)).toEqual([])
  })

  it('goes back to an earlier state and counter, as a restored backup does', () => {
    const storage = createStorage()
    const first = Number(storage.put('configmaps', object('a')).metadata.resourceVersion)
    storage.put('configmaps', object('b'))
    storage.rollBack(first)
    expect(storage.version()).toBe(first)
    expect(names(storage.collection('configmaps').list())).toEqual(['a'])
  })

  it('tells listeners every change in order and nothing after they left', () => {
    const storage = createStorage()
    const seen: string[] = []
    const stop = storage
      .collection('configmaps')
      .subscribe(({ before, after }) => seen.push(`${before ? 'old' : '-'} ${after ? 'new' : '-'}`))
    storage.put('configmaps', object('a'))
    storage.put('configmaps', object('a', '2'))
    storage.remove('configmaps', 'n/a')
    stop()
    storage.put('configmaps', object('a'))
    expect(seen).toEqual(['- new', 'old new', 'old -'])
  })

  it('stored objects cannot be changed by whoever got them', () => {
    const storage = createStorage()
    const stored = storage.put('configmaps', object('a'))
    expect(() => {
      ;(stored['data'] as { k: string }).k = 'x'
    }).toThrow(TypeError)
  })

  it('the list is in key order after any writes', () => {
    const write = fc.tuple(fc.constantFrom('a', 'b', 'c-d', 'c', 'z.y', 'aa'), fc.boolean())
    fc.assert(
      fc.property(fc.array(write), (writes) => {
        const storage = createStorage()
        const kept = new Set<string>()
        for (const [name, isDelete] of writes) {
          if (isDelete) storage.remove('configmaps', `n/${name}`)
          else storage.put('configmaps', object(name))
          if (isDelete) kept.delete(name)
          else kept.add(name)
        }
        expect(names(storage.collection('configmaps').list())).toEqual([...kept].sort())
        expect(names(storage.collection('configmaps').listIn('n'))).toEqual([...kept].sort())
        expect(storage.collection('configmaps').listIn('m')).toEqual([])
      }),
    )
  })
})
