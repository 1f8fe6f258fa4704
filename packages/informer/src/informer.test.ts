import { take } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { KubeObject } from './index.ts'
import { createInformer } from './informer.ts'
import type { InformerStatus } from './informer-status.ts'
import { fakeClock, scriptedSource, settle } from './testing/scripted-source.ts'

const fig = { metadata: { name: 'fig', namespace: 'orchard', uid: 'u1', resourceVersion: '7' } }
const pear = { metadata: { name: 'pear', namespace: 'orchard', uid: 'u2' } }

function orchard(objects: readonly KubeObject[] = [fig]) {
  const clock = fakeClock()
  const source = scriptedSource<KubeObject>(objects)
  const informer = createInformer(source, { clock, random: () => 0 })
  return { clock, source, informer }
}

describe('an informer', () => {
  it('lists where it was after the server forgot its version, and is never empty in between', async () => {
    const { clock, source, informer } = orchard()
    await informer.start().synced()
    await settle()
    source.expire()
    source.drop()
    await clock.advance(1_000)
    expect(source.requests.at(-2)).toMatch(/list .*resourceVersion=7/)
    expect(informer.store.get('fig', 'orchard')).toBeDefined()
    await informer.close()
    expect(clock.sleepers).toBe(0)
    expect(source.openWatches).toBe(0)
  })

  it('tells changes after the store has them', async () => {
    const { source, informer } = orchard()
    const seen: string[] = []
    informer.events$.subscribe((event) => seen.push(`${event.type} ${event.key} ${informer.store.size}`))
    await informer.start().synced()
    await settle()
    source.add(pear)
    source.modify({ metadata: { ...pear.metadata, labels: { ripe: 'yes' } } })
    source.delete(fig)
    await settle()
    expect(seen).toEqual([
      'added orchard/fig 1',
      'added orchard/pear 2',
      'updated orchard/pear 2',
      'deleted orchard/fig 1',
    ])
    await informer.close()
  })

  it('a late subscriber gets each object once, also in the middle of a batch', async () => {
    const { source, informer } = orchard([fig, pear])
    const late: string[] = []
    informer.changes$.pipe(take(1)).subscribe(() => {
      informer.events$.subscribe((event) => late.push(`${event.type} ${event.key}`))
    })
    await informer.start().synced()
    await settle()
    source.delete(fig)
    await settle()
    expect(late).toEqual(['added orchard/fig', 'added orchard/pear', 'deleted orchard/fig'])
    await informer.close()
  })

  it('marks what the first list brought, and what was there at subscription', async () => {
    const { source, informer } = orchard()
    const initial: boolean[] = []
    informer.events$.subscribe((event) => event.type === 'added' && initial.push(event.isInInitialList))
    await informer.start().synced()
    await settle()
    source.add(pear)
    await settle()
    informer.events$.subscribe((event) => event.type === 'added' && initial.push(event.isInInitialList))
    expect(initial).toEqual([true, false, true, true])
    await informer.close()
  })

  it('one of two subscribers leaving does not end the watch', async () => {
    const { source, informer } = orchard()
    const seen: string[] = []
    informer.changes$.subscribe().unsubscribe()
    informer.changes$.subscribe((event) => seen.push(event.type))
    await informer.start().synced()
    await settle()
    source.add(pear)
    await settle()
    expect(seen).toEqual(['added', 'added'])
    await informer.close()
  })

  it('a subscriber that leaves in the middle of a batch hears no more of it', async () => {
    const { informer } = orchard([fig, pear])
    const seen: string[] = []
    const subscription = informer.changes$.subscribe((event) => {
      seen.push(event.key)
      subscription.unsubscribe()
    })
    await informer.start().synced()
    expect(seen).toEqual(['orchard/fig'])
    await informer.close()
  })

  it('tells its status: phase, progress, failures, and the last error', async () => {
    const { clock, source, informer } = orchard()
    const seen: string[] = []
    informer.status$.subscribe(({ phase, hasSynced, consecutiveFailures, lastError }) =>
      seen.push(
        [phase, hasSynced ? 'synced' : '', consecutiveFailures || '', lastError?.code ?? ''].filter(Boolean).join(' '),
      ),
    )
    source.refuse('list', { code: 500 })
    informer.start()
    await clock.advance(1000)
    await informer.close()
    expect(seen.filter((line, i) => line !== seen[i - 1])).toEqual([
      'idle',
      'listing',
      'listing INF_SERVER',
      'backingOff 1 INF_SERVER',
      'listing 1 INF_SERVER',
      'watching synced INF_SERVER',
      'closed synced INF_SERVER',
    ])
  })

  it('says when it last heard from the server', async () => {
    const { clock, source, informer } = orchard()
    let last: InformerStatus | undefined
    informer.status$.subscribe((status) => {
      last = status
    })
    await informer.start().synced()
    await clock.advance(5000)
    source.add(pear)
    await settle()
    expect([last?.lastFrameAtMs, last?.resourceVersion]).toEqual([5000, '8'])
    await informer.close()
  })

  it('tells errors with the delay before the next attempt', async () => {
    const { clock, source, informer } = orchard()
    const errors: (string | number | undefined)[][] = []
    informer.errors$.subscribe(({ code, step, retryInMs }) => errors.push([code, step, retryInMs]))
    source.refuse('list', { code: 403 })
    informer.start()
    await clock.advance(1000)
    expect(errors).toEqual([['INF_FORBIDDEN', 'list', 800]])
    expect(informer.hasSynced).toBe(true)
    await informer.close()
  })

  it('an index function that throws is told once per object and version', async () => {
    const clock = fakeClock()
    const source = scriptedSource<KubeObject>([fig])
    const told: string[] = []
    const informer = createInformer<KubeObject, 'bad'>(source, {
      clock,
      random: () => 0,
      indexers: {
        bad: () => {
          throw new Error('no')
        },
      },
      onError: (error) => told.push(error.message),
    })
    await informer.start().synced()
    await settle()
    for (let i = 0; i < 3; i++) {
      source.expire()
      source.drop()
      await clock.advance(60_000)
    }
    source.modify(fig)
    await settle()
    const ofIndex = told.filter((message) => message.startsWith('index'))
    expect(ofIndex).toEqual([
      'index bad threw for orchard/fig at version 7',
      'index bad threw for orchard/fig at version 8',
    ])
    await informer.close()
  })

  it('repeats every object at the resync period, without a request', async () => {
    const clock = fakeClock()
    const source = scriptedSource<KubeObject>([fig])
    const informer = createInformer(source, { clock, random: () => 0, resyncPeriodMs: 10_000 })
    const seen: string[] = []
    informer.changes$.subscribe((event) =>
      seen.push(event.type === 'updated' ? `${event.cause} ${event.previous === event.object}` : event.type),
    )
    await informer.start().synced()
    await settle()
    const requests = source.requests.length
    await clock.advance(25_000)
    expect([seen, source.requests.length]).toEqual([['added', 'resync true', 'resync true'], requests])
    await informer.close()
    expect(clock.sleepers).toBe(0)
  })

  it('indexes what is there when an index is added to a running informer', async () => {
    const { informer } = orchard([fig, pear])
    await informer.start().synced()
    const indexed = informer.addIndexers({ uid: (object) => object.metadata?.uid })
    expect(indexed.store.byIndex('uid', 'u2').map((object) => object.metadata?.name)).toEqual(['pear'])
    expect(() => indexed.addIndexers({ uid: () => 'other' })).toThrow('"uid" is taken')
    await informer.close()
  })

  it('synced rejects when it is aborted, and when the informer is closed before', async () => {
    const { source, informer } = orchard()
    source.stall('list')
    informer.start()
    const abort = new AbortController()
    const aborted = informer.synced({ signal: abort.signal })
    const closed = informer.synced()
    abort.abort(new Error('enough'))
    await expect(aborted).rejects.toThrow('enough')
    await informer.close()
    await expect(closed).rejects.toThrow('closed before it had synced')
    // Whoever asks later is told the same.
    await expect(informer.synced()).rejects.toThrow('closed before it had synced')
    await expect(informer.synced({ signal: AbortSignal.abort(new Error('late')) })).rejects.toThrow()
  })

  it('an abort of the start signal closes it; closing twice and starting again do nothing', async () => {
    const { clock, source, informer } = orchard()
    const abort = new AbortController()
    let isComplete = false
    informer.events$.subscribe({
      complete: () => {
        isComplete = true
      },
    })
    await informer.start({ signal: abort.signal }).synced()
    abort.abort()
    await Promise.all([informer.close(), informer.close()])
    informer.start()
    await settle()
    expect([isComplete, clock.sleepers, source.openWatches, informer.store.size]).toEqual([true, 0, 0, 1])
  })

  it('a signal that is aborted already starts nothing', async () => {
    const { source, informer } = orchard()
    informer.start({ signal: AbortSignal.abort() })
    await settle()
    expect(source.requests).toEqual([])
  })

  it('is closed by await using', async () => {
    const { clock, informer } = orchard()
    await informer.start().synced()
    await informer[Symbol.asyncDispose]()
    expect(clock.sleepers).toBe(0)
  })
})
