import { expect, test } from 'vitest'
import { fakeClock, systemClock } from './clock.ts'

test('sleepers of a fake clock wake in order of their time, each after the work of the one before', async () => {
  const clock = fakeClock(100)
  const seen: string[] = []
  const worker = async (name: string, ms: number): Promise<void> => {
    await clock.sleep(ms)
    seen.push(`${name} at ${clock.nowMs()}`)
    await clock.sleep(1)
    seen.push(`${name} again at ${clock.nowMs()}`)
  }
  void worker('late', 20)
  void worker('early', 10)
  await clock.advance(30)
  expect(seen).toEqual(['early at 110', 'early again at 111', 'late at 120', 'late again at 121'])
  expect(clock.nowMs()).toBe(130)
})

test('a sleep ends at once when its signal aborts, on both clocks', async () => {
  const controller = new AbortController()
  const sleeps = [fakeClock().sleep(1e9, controller.signal), systemClock.sleep(1e9, controller.signal)]
  controller.abort()
  await Promise.all(sleeps)
  await systemClock.sleep(1e9, controller.signal)
})
