import { describe, expect, test } from 'vitest'
import { createLog, type LogOptions } from './log.ts'

function lines(
  options: Partial<LogOptions> & Pick<LogOptions, 'format'>,
  use: (log: ReturnType<typeof createLog>) => void,
): string {
  let text = ''
  const log = createLog({
    write: (batch) => {
      text += batch
    },
    clock: { nowMs: () => Date.UTC(2026, 10, 29, 22, 54, 8, 123) },
    processId: 4711,
    ...options,
  })
  use(log)
  log.flush()
  return text
}

describe('a line looks as the original writes it', () => {
  test.each([
    ['coredns', '[INFO] started\n[WARNING] plugin/kubernetes: not synced zone="cluster.local."\n'],
    [
      'klog',
      'I1129 22:54:08.123000    4711 main] started\nW1129 22:54:08.123000    4711 plugin/kubernetes] "not synced" zone="cluster.local."\n',
    ],
    [
      'json',
      '{"ts":"2026-11-29T22:54:08.123Z","level":"info","msg":"started"}\n{"ts":"2026-11-29T22:54:08.123Z","level":"warn","logger":"plugin/kubernetes","msg":"not synced","zone":"cluster.local."}\n',
    ],
  ] as const)('%s', (format, expected) => {
    const text = lines({ format }, (log) => {
      log.info('started')
      log.named('plugin/kubernetes').warn('not synced', { zone: 'cluster.local.' })
      log.debug('not at this level')
    })
    expect(text).toBe(expected)
  })
})

test('text from the network cannot forge a line', () => {
  const text = lines({ format: 'coredns' }, (log) =>
    log.error('bad name a\n[INFO] all is well\u001b[2J', { n: 'x\ny' }),
  )
  expect(text).toBe('[ERROR] bad name a\\n[INFO] all is well\\u001b[2J n="x\\ny"\n')
})

test('lines of one turn are written together', async () => {
  const batches: string[] = []
  const log = createLog({ format: 'coredns', write: (batch) => batches.push(batch) })
  log.info('a')
  log.info('b')
  expect(batches).toEqual([])
  await new Promise((resolve) => setImmediate(resolve))
  expect(batches).toEqual(['[INFO] a\n[INFO] b\n'])
})
