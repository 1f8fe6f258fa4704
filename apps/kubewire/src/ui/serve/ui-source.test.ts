import { Subject } from 'rxjs'
import { describe, expect, test } from 'vitest'
import type { ClusterDocument } from '../cluster-document.ts'
import { createUiSource } from './ui-source.ts'

const document: Omit<ClusterDocument, 'generation'> = {
  source: 'examples/shop',
  isCluster: false,
  objects: [],
  others: [],
  problems: [],
  positions: [],
  today: '2030-01-01',
  flags: {
    ingress: { configmap: '', 'ingress-class': '', 'controller-class': '', 'watch-ingress-without-class': false },
    'cluster-cidr': [],
    'masquerade-all': false,
  },
}

describe('the cluster of the page', () => {
  test('a change is a new generation, and whoever waits hears of it', async () => {
    const changes = new Subject<void>()
    const source = await createUiSource({ read: async () => document, changes, isAlwaysRead: false })
    expect((await source.read()).generation).toBe(1)
    const waiting = source.changedSince(1, 60_000)
    changes.next()
    expect(await waiting).toBe(2)
    expect(await source.changedSince(1, 60_000)).toBe(2)
    source.close()
  })

  test('a reading that fails keeps the last good one and says why', async () => {
    const changes = new Subject<void>()
    let isGone = false
    const read = async (): Promise<typeof document> => {
      if (isGone) throw new Error('the folder is gone')
      return document
    }
    const source = await createUiSource({ read, changes, isAlwaysRead: false })
    isGone = true
    changes.next()
    await source.changedSince(1, 60_000)
    expect(await source.read()).toMatchObject({ source: 'examples/shop', generation: 2, failure: 'the folder is gone' })
    isGone = false
    changes.next()
    await source.changedSince(2, 60_000)
    expect((await source.read()).failure).toBeUndefined()
    source.close()
  })

  test('a cluster is read again each time the page is loaded', async () => {
    const source = await createUiSource({ read: async () => document, changes: new Subject(), isAlwaysRead: true })
    expect((await source.read()).generation).toBe(1)
    expect((await source.read()).generation).toBe(2)
    source.close()
  })
})
