import { expect, test } from 'vitest'
import { fakeClock } from './clock.ts'
import { createSyncLoop } from './sync-loop.ts'

function setUp(options: { readonly failures?: number } = {}) {
  const clock = fakeClock()
  const seen: string[] = []
  let input = 0
  let installed: number | undefined
  let failures = options.failures ?? 0
  const loop = createSyncLoop<number, number>({
    clock,
    minIntervalMs: 1000,
    retryMs: 100,
    snapshot: () => input,
    plan: (wanted) => (wanted === installed ? undefined : wanted),
    apply: async (plan) => {
      if (failures-- > 0) throw new Error('the kernel said no')
      await clock.sleep(10)
      seen.push(`applied ${plan}`)
    },
    accept: (plan) => {
      installed = plan
    },
    onFailure: (error, count) => seen.push(`${(error as Error).message} (${count})`),
    onSuccess: ({ isChanged, durationMs }) => seen.push(`${isChanged ? 'changed' : 'same'} ${durationMs} ms`),
  })
  return {
    clock,
    loop,
    seen,
    change: (value: number) => {
      input = value
      loop.markDirty()
    },
  }
}

test('a burst of changes is one run with the last state', async () => {
  const { clock, loop, seen, change } = setUp()
  change(1)
  change(2)
  change(3)
  await clock.advance(10)
  expect(seen).toEqual(['applied 3', 'changed 10 ms'])
  await loop.close()
})

test('a change during a run is applied after it, not beside it', async () => {
  const { clock, loop, seen, change } = setUp()
  change(1)
  await clock.advance(5)
  change(2)
  await clock.advance(5)
  expect(seen).toEqual(['applied 1', 'changed 10 ms'])
  await clock.advance(1000)
  expect(seen.slice(2)).toEqual(['applied 2', 'changed 10 ms'])
  await loop.close()
})

test('a run that was refused is planned again, and installed did not change', async () => {
  const { clock, loop, seen, change } = setUp({ failures: 1 })
  change(1)
  await clock.advance(0)
  expect(seen).toEqual(['the kernel said no (1)'])
  await clock.advance(1100)
  expect(seen.slice(1)).toEqual(['applied 1', 'changed 10 ms'])
  await loop.close()
})

test('a run that finds no difference applies nothing', async () => {
  const { clock, loop, seen, change } = setUp()
  change(1)
  await clock.advance(10)
  change(1)
  await clock.advance(1000)
  expect(seen.slice(2)).toEqual(['same 0 ms'])
  await loop.close()
})

test('idle resolves when everything is applied', async () => {
  const { clock, loop, seen, change } = setUp()
  change(1)
  const idle = loop.idle().then(() => seen.push('idle'))
  await clock.advance(10)
  await idle
  expect(seen.at(-1)).toBe('idle')
  await loop.close()
})

test('close waits for the run under way and starts no other', async () => {
  const { clock, loop, seen, change } = setUp()
  change(1)
  await clock.advance(5)
  change(2)
  const closed = loop.close()
  await clock.advance(5000)
  await closed
  expect(seen).toEqual(['applied 1', 'changed 10 ms'])
})
