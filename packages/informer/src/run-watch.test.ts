import type { KubeObject } from '@kubewire/kube-model'
import { describe, expect, it } from 'vitest'
import { runWatch } from './run-watch.ts'
import type { ListPage, ResourceSource, WatchFrame } from './source.ts'
import { fakeClock, scriptedSource, settle } from './testing/scripted-source.ts'
import { WatchError } from './watch-error.ts'
import type { WatchResourceOptions } from './watch-options.ts'
import { watchResource } from './watch-resource.ts'

const fruit = (name: string, version?: string): KubeObject => ({
  metadata: { namespace: 'orchard', name, uid: `uid-${name}`, ...(version ? { resourceVersion: version } : {}) },
})

function run(source: ResourceSource<KubeObject>, options: WatchResourceOptions = {}) {
  const clock = fakeClock()
  const told: string[] = []
  const watch = runWatch(
    source,
    { clock, random: () => 0, initialList: 'paged', ...options },
    {
      event: (event) => told.push('object' in event ? `${event.type} ${event.object.metadata?.name}` : event.type),
      error: (error) => told.push(error.retryInMs === undefined ? error.code : `${error.code} ${error.retryInMs}`),
    },
  )
  return { clock, told, watch }
}

describe('a running watch', () => {
  it('lists once and then follows', async () => {
    const source = scriptedSource<KubeObject>([fruit('fig')])
    const { told, watch } = run(source)
    await settle()
    source.add(fruit('pear'))
    await settle()
    expect(source.requests).toEqual([
      'list limit=500&resourceVersion=0',
      'watch resourceVersion=1&allowWatchBookmarks=true&timeoutSeconds=300',
    ])
    expect(told).toEqual(['init', 'initApply fig', 'initDone', 'apply pear'])
    await watch.close()
  })

  it('asks for the state streamed and keeps the same connection', async () => {
    const source = scriptedSource<KubeObject>([fruit('fig')], { hasWatchList: true })
    const { told, watch } = run(source, { initialList: 'auto' })
    await settle()
    source.add(fruit('pear'))
    await settle()
    expect(source.requests).toEqual([
      'watch resourceVersion=&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&allowWatchBookmarks=true&timeoutSeconds=300',
    ])
    expect(told).toEqual(['init', 'initApply fig', 'initDone', 'apply pear'])
    await watch.close()
  })

  it('reads every page, and waits longer after each failure', async () => {
    const source = scriptedSource<KubeObject>([fruit('fig'), fruit('pear'), fruit('plum')])
    source.refuse('list', { code: 500, message: 'boom' }, 3)
    const { clock, told, watch } = run(source, { pageSize: 2, listSemantics: 'mostRecent' })
    await clock.advance(10_000)
    expect(told).toEqual([
      'INF_SERVER 800',
      'INF_SERVER 1600',
      'INF_SERVER 3200',
      'init',
      'initApply fig',
      'initApply pear',
      'initApply plum',
      'initDone',
    ])
    expect(source.requests.slice(3, 5)).toEqual(['list limit=2', 'list limit=2&continue=2'])
    await watch.close()
  })

  it('does not wait longer each time for a server that was well in between', async () => {
    const source = scriptedSource<KubeObject>([fruit('fig')])
    const { clock, told, watch } = run(source)
    await clock.advance(20_000)
    for (let outage = 0; outage < 4; outage += 1) {
      source.refuse('list', new WatchError({ code: 'INF_CONNECT', step: 'list', message: 'refused' }))
      source.drop(new WatchError({ code: 'INF_CONNECT', step: 'watch', message: 'reset' }))
      await clock.advance(20_000)
    }
    expect(told.filter((line) => line.startsWith('INF_CONNECT '))).toEqual(Array(4).fill('INF_CONNECT 800'))
    await watch.close()
  })

  it('waits longer each time for a server that lets go of every watch', async () => {
    const source = scriptedSource<KubeObject>([fruit('fig')])
    const { clock, told, watch } = run(source)
    for (let outage = 0; outage < 4; outage += 1) {
      await clock.advance(900)
      source.frame({ type: 'BOOKMARK', resourceVersion: '1', isInitialEventsEnd: false })
      await settle()
      source.drop(new WatchError({ code: 'INF_BAD_FRAME', step: 'watch', message: 'half a frame' }))
      await clock.advance(0)
      await clock.advance(Number(told.at(-1)?.split(' ')[1]))
    }
    expect(told.filter((line) => line.startsWith('INF_BAD_FRAME'))).toEqual([
      'INF_BAD_FRAME 800',
      'INF_BAD_FRAME 1600',
      'INF_BAD_FRAME 3200',
      'INF_BAD_FRAME 6400',
    ])
    await watch.close()
  })

  it('waits at least as long as the server asks, with jitter on top', async () => {
    const source = scriptedSource<KubeObject>([fruit('fig')])
    source.refuse('list', { code: 429, retryAfterSeconds: 5 })
    const { clock, told, watch } = run(source, { random: () => 0.5 })
    await settle()
    expect(told).toEqual(['INF_THROTTLED 5500'])
    await clock.advance(5499)
    expect(source.requests).toHaveLength(1)
    await clock.advance(1)
    expect(source.requests).toHaveLength(3)
    await watch.close()
  })

  it('gives silence up after the watchdog and resumes', async () => {
    const source = scriptedSource<KubeObject>([fruit('fig')])
    const { clock, told, watch } = run(source)
    await settle()
    source.bookmark()
    await clock.advance(150_000)
    expect(told.slice(3)).toEqual(['bookmark', 'INF_IDLE'])
    await settle()
    expect(source.openWatches).toBe(1)
    expect(source.requests.slice(2)).toEqual([
      'list limit=1&fieldSelector=metadata.name=fig,metadata.namespace=orchard',
      'watch resourceVersion=1&allowWatchBookmarks=true&timeoutSeconds=300',
    ])
    await watch.close()
  })

  it('gives a connection up that has no headers after 30 s', async () => {
    const source = scriptedSource<KubeObject>([fruit('fig')])
    source.stall('list')
    const { clock, told, watch } = run(source)
    await clock.advance(30_000)
    expect(told).toEqual(['INF_CONNECT 800'])
    source.stall('list', false)
    await clock.advance(800)
    expect(told.at(-1)).toBe('initDone')
    await watch.close()
  })

  it('finds out that versions went backwards, tells it and equals the server again', async () => {
    const source = scriptedSource<KubeObject>([fruit('fig', '100'), fruit('pear', '101')])
    const { clock, told, watch } = run(source)
    await settle()
    source.silently(() => {
      source.delete(fruit('fig'))
      source.delete(fruit('pear'))
      source.version = 3
      source.add(fruit('kiwi'))
    })
    source.drop(new WatchError({ code: 'INF_CONNECT', step: 'watch', message: 'ECONNRESET' }))
    await clock.advance(1_000)
    expect(told.slice(4)).toEqual(['INF_CONNECT 800', 'init', 'initApply kiwi', 'initDone', 'INF_VERSION_ROLLBACK'])
    await watch.close()
  })

  it('finds a wiped server whose counter has overtaken the old one', async () => {
    const source = scriptedSource<KubeObject>([fruit('fig', '100')])
    const { clock, told, watch } = run(source)
    await settle()
    source.silently(() => {
      source.delete(fruit('fig'))
      source.version = 300
      source.add({ metadata: { namespace: 'orchard', name: 'fig', uid: 'other' } })
    })
    await clock.advance(2_000)
    source.drop()
    await clock.advance(1_000)
    expect(told.slice(3)).toEqual(['init', 'initApply fig', 'initDone'])
    await watch.close()
  })
})

describe('closing', () => {
  it.each<[string, (source: ReturnType<typeof scriptedSource<KubeObject>>) => void]>([
    ['while the list is asked for', (source) => source.stall('list')],
    ['while the watch is asked for', (source) => source.stall('watch')],
    ['while waiting after a failure', (source) => source.refuse('list', { code: 500 })],
    ['while following', () => undefined],
  ])('%s leaves nothing behind', async (_name, prepare) => {
    const source = scriptedSource<KubeObject>([fruit('fig')])
    prepare(source)
    const { clock, told, watch } = run(source)
    await settle()
    const before = told.length
    await watch.close()
    source.add(fruit('pear'))
    await clock.advance(1_000_000)
    expect([clock.sleepers, source.openWatches, told.length]).toEqual([0, 0, before])
  })

  it('in the middle of a list stops telling at once', async () => {
    const told: string[] = []
    const source = scriptedSource<KubeObject>([fruit('fig'), fruit('pear'), fruit('plum')])
    const subscription = watchResource(source, { clock: fakeClock(), initialList: 'paged' }).subscribe((event) => {
      told.push(event.type)
      if (event.type === 'initApply') subscription.unsubscribe()
    })
    await settle()
    expect(told).toEqual(['init', 'initApply'])
    expect(source.requests).toHaveLength(1)
  })
})

describe('the event loop', () => {
  it('turns at least every few milliseconds of synchronous work', async () => {
    let nowMs = 0
    const clock = { ...fakeClock(), nowMs: () => nowMs }
    const turns: number[] = []
    function* slowItems(): Generator<KubeObject> {
      for (let i = 0; i < 30; i++) {
        nowMs += 1
        yield fruit(`fruit-${i}`)
      }
    }
    const source: ResourceSource<KubeObject> = {
      list: async (): Promise<ListPage<KubeObject>> => ({ items: slowItems(), resourceVersion: '7' }),
      watch: async () => ({
        [Symbol.asyncIterator]: () => ({
          next: () => new Promise<IteratorResult<WatchFrame<KubeObject>>>(() => undefined),
        }),
      }),
    }
    let isDone = false
    const countTurns = (): void => {
      turns.push(nowMs)
      if (!isDone) setImmediate(countTurns)
    }
    setImmediate(countTurns)
    await new Promise<void>((resolve) => {
      runWatch(
        source,
        { clock, initialList: 'paged' },
        {
          event: (event) => event.type === 'initDone' && resolve(),
          error: () => undefined,
        },
      )
    })
    isDone = true
    const longest = Math.max(...turns.map((at, i) => at - (turns[i - 1] ?? 0)))
    expect(longest).toBeLessThanOrEqual(6)
  })
})
