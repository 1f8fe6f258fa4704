import { type KubeObject, objectKey } from '@kubewire/kube-model'
import { describe, expect, it } from 'vitest'
import type { InformerEvent, ResourceEvent } from './event.ts'
import { createLister } from './lister.ts'
import { createStore } from './store.ts'
import type { WatchError } from './watch-error.ts'

interface Fruit extends KubeObject {
  readonly colour?: string
}

/** `name@version` with a uid of its own, or `name#uid@version`; a word behind it is the colour. */
function fruit(text: string): Fruit {
  const [id = '', colour] = text.split(' ')
  const [, name = '', uid, version] = /^([a-z]+)(?:#(\w+))?(?:@(\w+))?$/.exec(id) ?? []
  const metadata = {
    namespace: 'orchard',
    name,
    uid: uid ?? `uid-${name}`,
    ...(version ? { resourceVersion: version } : {}),
  }
  return { metadata, ...(colour ? { colour } : {}) }
}

const apply = (text: string): ResourceEvent<Fruit> => ({ type: 'apply', object: fruit(text) })
const gone = (text: string): ResourceEvent<Fruit> => ({ type: 'delete', object: fruit(text) })
const list = (version: string, ...texts: string[]): ResourceEvent<Fruit>[] => [
  { type: 'init' },
  ...texts.map((text) => ({ type: 'initApply', object: fruit(text) }) as const),
  { type: 'initDone', resourceVersion: version },
]

function tell(event: InformerEvent<Fruit>): string {
  const version = event.object.metadata?.resourceVersion ?? ''
  const name = event.object.metadata?.name
  if (event.type === 'added') return `added ${name}@${version}${event.isInInitialList ? ' initially' : ''}`
  if (event.type === 'updated')
    return `updated ${name}@${event.previous.metadata?.resourceVersion ?? ''}→${version} by ${event.cause}${event.isReplaced ? ' replaced' : ''}`
  return `deleted ${name}@${version}${event.isFinalStateUnknown ? ' unseen' : ''}`
}

function playInto(events: readonly ResourceEvent<Fruit>[]) {
  const { store, writer } = createStore<Fruit>()
  return { store, writer, told: events.flatMap((event) => writer.apply(event)).map(tell) }
}

const first = list('7', 'fig@5', 'pear@6')

describe('a store told about changes', () => {
  it.each<[string, readonly ResourceEvent<Fruit>[], readonly string[], readonly string[]]>([
    [
      'holds what the first list brought',
      first,
      ['added fig@5 initially', 'added pear@6 initially'],
      ['fig@5', 'pear@6'],
    ],
    ['an addition', [...first, apply('plum@8')], ['added plum@8'], ['fig@5', 'pear@6', 'plum@8']],
    ['an update', [...first, apply('fig@8')], ['updated fig@5→8 by watch'], ['fig@8', 'pear@6']],
    ['a deletion shows the final state', [...first, gone('fig@8')], ['deleted fig@8'], ['pear@6']],
    ['a deletion of what was never there is no event', [...first, gone('plum@8')], [], ['fig@5', 'pear@6']],
    [
      'a frame said twice is no event',
      [...first, apply('fig@8'), apply('fig@8')],
      ['updated fig@5→8 by watch'],
      ['fig@8', 'pear@6'],
    ],
    [
      'an older frame is dropped',
      [...first, apply('fig@9'), apply('fig@8')],
      ['updated fig@5→9 by watch'],
      ['fig@9', 'pear@6'],
    ],
    [
      'a late frame of another object is taken',
      [...first, apply('fig@9'), apply('pear@8')],
      ['updated fig@5→9 by watch', 'updated pear@6→8 by watch'],
      ['fig@9', 'pear@8'],
    ],
    [
      'a late frame does not revive a deleted object',
      [...first, gone('fig@9'), apply('fig@8')],
      ['deleted fig@9'],
      ['pear@6'],
    ],
    [
      'an object comes back that the selector left out for a while',
      [...first, gone('fig@8'), apply('fig@9')],
      ['deleted fig@8', 'added fig@9'],
      ['pear@6', 'fig@9'],
    ],
    [
      'nor one whose deletion came before it was known',
      [...first, gone('plum@9'), apply('plum@8')],
      [],
      ['fig@5', 'pear@6'],
    ],
    [
      'a new object of the same name lives',
      [...first, gone('fig@8'), apply('fig#second@9')],
      ['deleted fig@8', 'added fig@9'],
      ['pear@6', 'fig@9'],
    ],
    [
      'another uid under the same name is a replacement',
      [...first, apply('fig#second@9')],
      ['updated fig@5→9 by watch replaced'],
      ['fig@9', 'pear@6'],
    ],
    [
      'a late deletion of the former object does not touch its successor',
      [...first, apply('fig#second@9'), gone('fig@8')],
      ['updated fig@5→9 by watch replaced'],
      ['fig@9', 'pear@6'],
    ],
    ['an object without a version is taken', [...first, apply('fig')], ['updated fig@5→ by watch'], ['fig@', 'pear@6']],
    ['bookmarks change nothing', [...first, { type: 'bookmark', resourceVersion: '30' }], [], ['fig@5', 'pear@6']],
  ])('%s', (_name, events, told, held) => {
    const { store, told: all } = playInto(events)
    expect(events === first ? all : all.slice(2)).toEqual(told)
    expect([...store].map((object) => `${object.metadata?.name}@${object.metadata?.resourceVersion ?? ''}`)).toEqual(
      held,
    )
  })
})

describe('a store told a whole list again', () => {
  it.each<[string, readonly ResourceEvent<Fruit>[], readonly string[], string]>([
    ['what did not change is no event', list('9', 'fig@5', 'pear@6'), [], 'fig@5 pear@6'],
    [
      'deletions come first, then the list’s order',
      list('9', 'plum@8', 'pear@9'),
      ['deleted fig@5 unseen', 'added plum@8', 'updated pear@6→9 by relist'],
      'plum@8 pear@9',
    ],
    ['an empty list deletes everything', list('9'), ['deleted fig@5 unseen', 'deleted pear@6 unseen'], ''],
    [
      'a list is believed even when its versions are lower',
      list('3', 'fig@2', 'pear@6'),
      ['updated fig@5→2 by relist'],
      'fig@2 pear@6',
    ],
    [
      'deleted and made anew in between is a replacement',
      list('9', 'fig#second@8', 'pear@6'),
      ['updated fig@5→8 by relist replaced'],
      'fig@8 pear@6',
    ],
    [
      'a deletion during the list leaves the object out',
      [
        { type: 'init' },
        { type: 'initApply', object: fruit('fig@5') },
        gone('fig@8'),
        { type: 'initApply', object: fruit('pear@6') },
        { type: 'initDone', resourceVersion: '9' },
      ],
      ['deleted fig@5 unseen'],
      'pear@6',
    ],
    [
      'a list that was given up leaves no trace',
      [{ type: 'init' }, { type: 'initApply', object: fruit('kiwi@8') }, ...list('9', 'fig@5', 'pear@6')],
      [],
      'fig@5 pear@6',
    ],
  ])('%s', (_name, events, told, held) => {
    const { store, told: all } = playInto([...first, ...events])
    expect(all.slice(2)).toEqual(told)
    expect([...store].map((object) => `${object.metadata?.name}@${object.metadata?.resourceVersion}`).join(' ')).toBe(
      held,
    )
  })

  it('equal versions do not hide a change when the history is uncertain', () => {
    const [, ...rest] = list('7', 'fig@5 brown', 'pear@6')
    const { told } = playInto([
      ...list('7', 'fig@5 green', 'pear@6'),
      { type: 'init', isHistoryUncertain: true },
      ...rest,
    ])
    expect(told.slice(2)).toEqual(['updated fig@5→5 by relist'])
  })

  it('an object deleted in a lost history may come back', () => {
    const [, ...rest] = list('6', 'fig@5')
    const { store } = playInto([
      ...first,
      gone('fig@8'),
      { type: 'init', isHistoryUncertain: true },
      ...rest,
      apply('fig@7'),
    ])
    expect(store.get('fig', 'orchard')?.metadata?.resourceVersion).toBe('7')
  })

  it('an object that a list left out may come back: only the server’s word is final', () => {
    const { store, told } = playInto([...first, ...list('9', 'fig@5'), apply('pear@6')])
    expect(store.get('pear', 'orchard')?.metadata?.resourceVersion).toBe('6')
    expect(told.slice(2)).toEqual(['deleted pear@6 unseen', 'added pear@6'])
  })

  it('unchanged objects stay the very same', () => {
    const { store, writer } = playInto(first)
    const before = store.get('fig', 'orchard')
    for (const event of list('9', 'fig@5')) writer.apply(event)
    expect(store.get('fig', 'orchard')).toBe(before)
  })

  it('the content is whole until the list is complete', () => {
    const { store, writer } = playInto(first)
    for (const event of list('9', 'plum@8').slice(0, -1)) {
      writer.apply(event)
      expect([store.size, store.resourceVersion, store.get('plum', 'orchard')]).toEqual([2, '7', undefined])
    }
  })
})

describe('a store', () => {
  it('knows the newest version that its content includes', () => {
    const { store, writer } = playInto(first)
    expect(store.resourceVersion).toBe('7')
    writer.apply(apply('fig@9'))
    writer.apply(apply('pear@8'))
    expect(store.resourceVersion).toBe('9')
    writer.apply({ type: 'bookmark', resourceVersion: '30' })
    expect(store.resourceVersion).toBe('30')
    writer.apply(gone('fig@31'))
    expect(store.resourceVersion).toBe('31')
  })

  it('counts stale frames', () => {
    const { writer } = playInto([...first, apply('fig@9'), apply('fig@8'), gone('fig@7')])
    expect(writer.staleFrames).toBe(2)
  })

  it('answers by key, by name and by index, also for objects that were there before the index', () => {
    const { store, writer } = createStore<Fruit, 'colour'>({ indexers: { colour: (object) => object.colour } })
    for (const event of list('7', 'fig@5 green', 'pear@6 green', 'plum@7')) writer.apply(event)
    expect(store.byIndex('colour', 'green').map((object) => object.metadata?.name)).toEqual(['fig', 'pear'])
    expect([...store.indexValues('colour')]).toEqual(['green'])
    writer.addIndexers({ initial: (object) => object.metadata?.name?.slice(0, 1) })
    expect(store.byIndex('initial' as 'colour', 'p').map((object) => object.metadata?.name)).toEqual(['pear', 'plum'])
    for (const event of list('9', 'fig@8 brown')) writer.apply(event)
    expect([...store.indexValues('colour'), ...store.indexValues('initial' as 'colour')]).toEqual(['brown', 'f'])
    expect(store.getByKey(objectKey('orchard', 'fig'))).toBe(store.get('fig', 'orchard'))
    expect(store.get('fig')).toBeUndefined()
  })

  it('indexes added during a list cover the new content too', () => {
    const { store, writer } = createStore<Fruit>()
    const [init, one, ...rest] = list('7', 'fig@5 green', 'pear@6 red')
    for (const event of [init, one]) writer.apply(event as ResourceEvent<Fruit>)
    writer.addIndexers({ colour: (object) => object.colour })
    for (const event of rest) writer.apply(event)
    expect([...store.indexValues('colour' as never)].sort()).toEqual(['green', 'red'])
  })

  it('refuses two functions under one index name, and an index that is not there', () => {
    const colour = (object: Fruit) => object.colour
    const { store, writer } = createStore<Fruit, 'colour'>({ indexers: { colour } })
    writer.addIndexers({ colour })
    expect(() => writer.addIndexers({ colour: () => 'x' })).toThrow('"colour" is taken')
    expect(() => store.byIndex('size' as 'colour', 'x')).toThrow('"size"')
  })

  it('keeps an object whose index function throws, and says so', () => {
    const errors: WatchError[] = []
    const { store, writer } = createStore<Fruit, 'colour'>({
      indexers: {
        colour: (object) => (object.metadata?.name === 'fig' ? (undefined as unknown as Fruit).colour : object.colour),
      },
      onError: (error) => errors.push(error),
    })
    for (const event of list('7', 'fig@5 green', 'pear@6 green')) writer.apply(event)
    expect(store.size).toBe(2)
    expect(store.byIndex('colour', 'green').map((object) => object.metadata?.name)).toEqual(['pear'])
    expect(errors.map((error) => [error.code, error.step, error.message])).toEqual([
      ['INF_INDEX', 'index', 'index colour threw for orchard/fig at version 5'],
    ])
  })

  it('an object that its transform hides is deleted with its last state', () => {
    const { writer } = playInto(list('7', 'fig@5 green'))
    const [event] = writer.apply({ type: 'delete', object: fruit('fig@8'), isHidden: true })
    expect(event).toMatchObject({ type: 'deleted', object: { colour: 'green' }, isFinalStateUnknown: false })
    expect(writer.apply(apply('fig@9 red'))).toMatchObject([{ type: 'added' }])
  })
})

describe('a lister', () => {
  it('lists by namespace and label selector and gets by name', () => {
    const { store, writer } = createStore<KubeObject>()
    writer.apply({ type: 'init' })
    for (const [namespace, name, ripe] of [
      ['a', 'fig', 'yes'],
      ['a', 'pear', 'no'],
      ['b', 'fig', 'yes'],
    ] as const) {
      writer.apply({ type: 'initApply', object: { metadata: { namespace, name, labels: { ripe } } } })
    }
    writer.apply({ type: 'initDone', resourceVersion: '7' })
    const lister = createLister(store)
    const names = (objects: readonly KubeObject[]) => objects.map((o) => `${o.metadata?.namespace}/${o.metadata?.name}`)
    expect(names(lister.list())).toEqual(['a/fig', 'a/pear', 'b/fig'])
    expect(names(lister.list({ labelSelector: 'ripe=yes' }))).toEqual(['a/fig', 'b/fig'])
    expect(names(lister.namespace('a').list({ labelSelector: 'ripe!=yes' }))).toEqual(['a/pear'])
    expect(lister.namespace('b').get('fig')?.metadata?.namespace).toBe('b')
    expect(lister.get('fig')).toBeUndefined()
    expect(() => lister.list({ labelSelector: '===' })).toThrow('label selector')
  })
})
