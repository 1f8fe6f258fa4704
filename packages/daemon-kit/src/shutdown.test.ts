import { expect, test } from 'vitest'
import { createShutdown } from './shutdown.ts'

test('what was started last is closed first, once, whatever goes wrong', async () => {
  const seen: string[] = []
  const shutdown = createShutdown({ signals: [], log: { info: () => {}, warn: (text) => seen.push(text) } })
  shutdown.defer('first', () => void seen.push('first'))
  shutdown.defer('broken', () => {
    throw new Error('no')
  })
  shutdown.defer('last', async () => void seen.push('last'))
  shutdown.begin('test')
  shutdown.begin('again')
  expect(shutdown.signal.aborted).toBe(true)
  expect(await shutdown.done).toBe('test')
  expect(seen).toEqual(['last', 'broken did not close: no', 'first'])
})

test('something that never closes does not hold up the rest', async () => {
  const seen: string[] = []
  const shutdown = createShutdown({
    signals: [],
    limitMs: 20,
    log: { info: () => {}, warn: (text) => seen.push(text) },
  })
  shutdown.defer('first', () => void seen.push('first'))
  shutdown.defer('stuck', () => new Promise(() => {}))
  shutdown.begin('test')
  await shutdown.done
  expect(seen).toEqual(['stuck did not close within 20 ms', 'first'])
})

test('what is opened after everything was closed is closed at once', async () => {
  const seen: string[] = []
  const shutdown = createShutdown({ signals: [] })
  shutdown.begin('test')
  await shutdown.done
  shutdown.defer('late', () => void seen.push('late'))
  await Promise.resolve()
  expect(seen).toEqual(['late'])
})
