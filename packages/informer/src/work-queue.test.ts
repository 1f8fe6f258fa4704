import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rateLimiters } from './rate-limiters.ts'
import { runWorkers } from './run-workers.ts'
import { fakeClock, settle } from './testing/fake-clock.ts'
import { createWorkQueue } from './work-queue.ts'

function queueOf(keys: readonly string[] = []) {
  const clock = fakeClock()
  const queue = createWorkQueue<string>({ clock, rateLimiter: rateLimiters.exponential({ baseMs: 100 }) })
  for (const key of keys) queue.add(key)
  return { clock, queue }
}

describe('a work queue', () => {
  it('hands keys out in order', async () => {
    const { queue } = queueOf(['fig', 'pear'])
    expect([await queue.take(), await queue.take()]).toEqual(['fig', 'pear'])
  })

  it('a thousand adds of one key are one', async () => {
    const { queue } = queueOf(Array.from({ length: 1000 }, () => 'fig'))
    expect(queue.length).toBe(1)
  })

  it('a key added while it is processed comes once more, after it is done', async () => {
    const { queue } = queueOf(['fig'])
    const fig = (await queue.take()) as string
    for (let i = 0; i < 1000; i++) queue.add('fig')
    expect(queue.length).toBe(0)
    queue.done(fig)
    expect(queue.length).toBe(1)
    queue.done((await queue.take()) as string)
    expect(queue.length).toBe(0)
  })

  it('a taker waits for a key', async () => {
    const { queue } = queueOf()
    const taken = queue.take()
    queue.add('fig')
    expect(await taken).toBe('fig')
  })

  it('a taker whose signal aborts gets nothing and takes nothing', async () => {
    const { queue } = queueOf()
    const abort = new AbortController()
    const taken = queue.take(abort.signal)
    abort.abort()
    expect(await taken).toBeUndefined()
    queue.add('fig')
    expect(await queue.take()).toBe('fig')
    expect(await queue.take(abort.signal)).toBeUndefined()
  })

  it('a delayed key comes when it is due, at the earlier of two delays', async () => {
    const { clock, queue } = queueOf()
    queue.addAfter('fig', 500)
    queue.addAfter('fig', 200)
    queue.addAfter('fig', 900)
    queue.addAfter('pear', 0)
    expect(queue.length).toBe(1)
    await clock.advance(199)
    expect(queue.length).toBe(1)
    await clock.advance(1)
    expect(queue.length).toBe(2)
    await clock.advance(10_000)
    expect(queue.length).toBe(2)
  })

  it('failures wait longer each time until they are forgotten', async () => {
    const { clock, queue } = queueOf()
    const waits: number[] = []
    for (let i = 0; i < 3; i++) {
      queue.addRateLimited('fig')
      const startedAtMs = clock.nowMs()
      while (queue.length === 0) await clock.advance(50)
      waits.push(clock.nowMs() - startedAtMs)
      queue.done((await queue.take()) as string)
    }
    expect([waits, queue.requeues('fig')]).toEqual([[100, 200, 400], 3])
    queue.forget('fig')
    expect(queue.requeues('fig')).toBe(0)
  })

  it('after shutting down hands out the rest, then undefined, and takes nothing new', async () => {
    const { clock, queue } = queueOf(['fig'])
    queue.addAfter('plum', 100)
    await queue.shutDown()
    queue.add('pear')
    queue.addAfter('pear', 1)
    await clock.advance(1000)
    expect([await queue.take(), await queue.take(), clock.sleepers]).toEqual(['fig', undefined, 0])
  })

  it('draining waits for what is being processed', async () => {
    const { queue } = queueOf(['fig'])
    const fig = (await queue.take()) as string
    let isDrained = false
    const drained = queue.shutDown({ isDraining: true }).then(() => {
      isDrained = true
    })
    await settle()
    expect(isDrained).toBe(false)
    queue.done(fig)
    await drained
  })

  it('items may be told apart by a key of their own', async () => {
    const queue = createWorkQueue<{ readonly id: string; readonly at: number }>({ keyOf: (item) => item.id })
    queue.add({ id: 'fig', at: 1 })
    queue.add({ id: 'fig', at: 2 })
    expect(queue.length).toBe(1)
  })

  it('never hands a key out twice at the same time and loses none', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('add' as const), key: fc.constantFrom('a', 'b', 'c') }),
      fc.record({ kind: fc.constant('take' as const), key: fc.constant('') }),
      fc.record({ kind: fc.constant('done' as const), key: fc.constantFrom('a', 'b', 'c') }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { queue } = queueOf()
        const processing = new Set<string>()
        // What must still be processed: added after its last take.
        const owed = new Set<string>()
        const take = async (): Promise<void> => {
          if (queue.length === 0) return
          const key = (await queue.take()) as string
          expect(processing.has(key)).toBe(false)
          processing.add(key)
          owed.delete(key)
        }
        for (const { kind, key } of steps) {
          if (kind === 'add') {
            queue.add(key)
            owed.add(key)
          } else if (kind === 'take') await take()
          else if (processing.delete(key)) queue.done(key)
        }
        for (const key of [...processing]) {
          processing.delete(key)
          queue.done(key)
        }
        while (queue.length > 0) {
          await take()
          for (const key of [...processing]) {
            processing.delete(key)
            queue.done(key)
          }
        }
        expect([...owed]).toEqual([])
      }),
      { numRuns: 200 },
    )
  })
})

describe('workers', () => {
  it('retry a failed key, give up after the limit, and requeue on request', async () => {
    const { clock, queue } = queueOf(['bad', 'later'])
    const stop = new AbortController()
    const log: string[] = []
    const running = runWorkers(
      queue,
      {
        concurrency: 2,
        maxRetries: 2,
        signal: stop.signal,
        onError: (_, key, isGivenUp) => log.push(`${key} failed${isGivenUp ? ' for good' : ''}`),
      },
      async (key) => {
        if (key === 'bad') throw new Error('no')
        log.push(key)
        return log.filter((line) => line === 'later').length < 2 ? { requeueAfterMs: 1000 } : undefined
      },
    )
    await clock.advance(5000)
    expect(log.sort()).toEqual(['bad failed', 'bad failed', 'bad failed for good', 'later', 'later'])
    expect(queue.requeues('bad')).toBe(0)
    stop.abort()
    await running
  })

  it('work on as many keys at a time as asked, one key never twice', async () => {
    const { queue } = queueOf(['a', 'b', 'c'])
    const stop = new AbortController()
    let atOnce = 0
    let most = 0
    const running = runWorkers(queue, { concurrency: 2, signal: stop.signal }, async () => {
      most = Math.max(most, ++atOnce)
      await settle()
      atOnce--
    })
    await settle()
    await settle()
    await settle()
    stop.abort()
    await running
    expect(most).toBe(2)
  })
})
