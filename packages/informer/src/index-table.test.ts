import { type KubeObject, objectKey } from '@kubewire/kube-model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { IndexTable } from './index-table.ts'

interface Fruit extends KubeObject {
  readonly colours?: string | readonly string[]
}

const fruit = (colours?: string | readonly string[]): Fruit => ({ ...(colours === undefined ? {} : { colours }) })
const keyed = (name: string) => objectKey('orchard', name)
const table = () =>
  new IndexTable<Fruit>(
    (object) => object.colours,
    () => undefined,
  )

describe('an index', () => {
  it('finds keys by value', () => {
    const index = table()
    index.update(keyed('fig'), undefined, fruit(['green', 'purple']))
    index.update(keyed('pear'), undefined, fruit('green'))
    expect([...index.keys('green')]).toEqual([keyed('fig'), keyed('pear')])
    expect([...index.keys('purple')]).toEqual([keyed('fig')])
    expect([...index.keys('blue')]).toEqual([])
  })

  it('moves a key whose values changed, and forgets values that nobody has', () => {
    const index = table()
    index.update(keyed('fig'), undefined, fruit(['green', 'purple']))
    index.update(keyed('fig'), fruit(['green', 'purple']), fruit('brown'))
    expect([...index.values()]).toEqual(['brown'])
    index.update(keyed('fig'), fruit('brown'), undefined)
    expect([...index.values()]).toEqual([])
  })

  it('an object without values is not found', () => {
    const index = table()
    index.update(keyed('fig'), undefined, fruit())
    index.update(keyed('pear'), undefined, fruit([]))
    expect([...index.values()]).toEqual([])
  })

  it('a value named twice counts once', () => {
    const index = table()
    index.update(keyed('fig'), undefined, fruit(['green', 'green']))
    expect([...index.keys('green')]).toEqual([keyed('fig')])
    index.update(keyed('fig'), fruit(['green', 'green']), undefined)
    expect([...index.values()]).toEqual([])
  })

  it('equals an index built anew after any sequence of updates', () => {
    const colours = fc.uniqueArray(fc.constantFrom('red', 'green', 'blue'), { maxLength: 3 })
    const change = fc.tuple(fc.constantFrom('fig', 'pear', 'plum'), fc.option(colours, { nil: undefined }))
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        const index = table()
        const held = new Map<string, Fruit>()
        for (const [name, values] of changes) {
          const after = values === undefined ? undefined : fruit(values)
          index.update(keyed(name), held.get(name), after)
          if (after) held.set(name, after)
          else held.delete(name)
        }
        const fresh = table()
        for (const [name, object] of held) fresh.update(keyed(name), undefined, object)
        const content = (of: IndexTable<Fruit>) =>
          [...of.values()].sort().map((value) => [value, [...of.keys(value)].sort()])
        expect(content(index)).toEqual(content(fresh))
      }),
      { numRuns: 200 },
    )
  })
})
