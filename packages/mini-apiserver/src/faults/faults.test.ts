import { describe, expect, it } from 'vitest'
import type { WatchFrame } from '../verbs/watch.ts'
import { createFaultRules, type FaultRule } from './faults.ts'
import { parseFault } from './parse-fault.ts'
import { type FaultOutput, watchFault } from './watch-faults.ts'

describe('fault rules as text', () => {
  it.each([
    [
      'stall,verb=watch,resource=services,after=5s',
      { kind: 'stall', verb: 'watch', resource: 'services', afterMs: 5000 },
    ],
    ['serverError,status=503,body=html,times=3', { kind: 'serverError', status: 503, body: 'html', times: 3 }],
    ['rollback,by=20', { kind: 'rollback', by: 20 }],
    ['clockSkew,by=1h', { kind: 'clockSkew', by: 3_600_000 }],
    ['restart,down=250ms', { kind: 'restart', downMs: 250 }],
  ])('%s', (text, rule) => {
    expect(parseFault(text)).toEqual({ rule })
  })

  it.each([
    ['explode', 'no fault called "explode"'],
    ['stall,color=red', '"color=red" is not understood'],
    ['stall,times=many', '"times=many" is not understood'],
    ['stall,verb', 'expected key=value, got "verb"'],
    ['__proto__', 'no fault called "__proto__"'],
  ])('%s is refused', (text, wanted) => {
    expect(parseFault(text)).toEqual({ error: expect.stringContaining(wanted) })
  })
})

describe('which requests a rule hits', () => {
  const list = { verb: 'list', resource: 'services', name: '', userAgent: 'coredns/1' }
  it('lets some pass, hits some, then is spent', () => {
    const rules = createFaultRules(() => {})
    rules.add({ kind: 'throttle', resource: 'services', skip: 1, times: 2 })
    expect([1, 2, 3, 4].map(() => rules.take(list).length)).toEqual([0, 1, 1, 0])
    expect(rules.take({ ...list, resource: 'pods' })).toEqual([])
  })

  it('a watch fault waits for watches, and zero times means for ever', () => {
    const rules = createFaultRules(() => {})
    rules.add({ kind: 'stall', times: 0, userAgent: 'coredns' })
    expect(rules.take(list)).toEqual([])
    expect([1, 2, 3].map(() => rules.take({ ...list, verb: 'watch' }).length)).toEqual([1, 1, 1])
    rules.clear()
    expect(rules.list()).toEqual([])
  })

  it('a server fault happens at once', () => {
    const seen: FaultRule[] = []
    createFaultRules((rule) => seen.push(rule)).add({ kind: 'compact' })
    expect(seen).toEqual([{ kind: 'compact' }])
  })
})

describe('faults of a stream of frames', () => {
  const frame = (name: string, type: WatchFrame['type'] = 'ADDED', version = '1'): WatchFrame => ({
    type,
    object: { kind: 'X', metadata: { name, resourceVersion: version } },
  })
  const run = (rule: FaultRule, frames: readonly WatchFrame[]) => {
    const seen: string[] = []
    const output: FaultOutput = {
      frame: ({ type, object }) =>
        seen.push(`${type} ${(object['metadata'] as { name?: string }).name ?? (object['code'] as number)}`),
      raw: (text) => seen.push(`raw ${text.length > 60 ? 'long' : text.trim()}`),
      encode: ({ object }) => `<${(object['metadata'] as { name: string }).name}>\n`,
      end: () => seen.push('end'),
      reset: () => seen.push('reset'),
      chunk: (bytes) => seen.push(`chunk ${bytes}`),
    }
    const filter = watchFault(rule, output)
    for (const each of frames) filter(each)
    return seen
  }
  const three = [frame('a'), frame('b'), frame('b', 'MODIFIED', '2')]

  it.each([
    ['dropWatch after one frame', { kind: 'dropWatch', frames: 1 }, ['ADDED a', 'end']],
    ['stall', { kind: 'stall' }, []],
    ['halfFrame', { kind: 'halfFrame', frames: 2 }, ['ADDED a', 'ADDED b', 'raw <b', 'reset']],
    ['gone', { kind: 'gone', frames: 2 }, ['ADDED a', 'ADDED b', 'ERROR 410', 'end']],
    ['joinFrames', { kind: 'joinFrames' }, ['raw <a>\n<b>', 'MODIFIED b']],
    ['duplicateEvent', { kind: 'duplicateEvent' }, ['ADDED a', 'ADDED a', 'ADDED b', 'MODIFIED b']],
    ['staleEvent', { kind: 'staleEvent' }, ['ADDED a', 'ADDED b', 'MODIFIED b', 'MODIFIED b']],
    ['reorder', { kind: 'reorder' }, ['ADDED b', 'ADDED a', 'MODIFIED b']],
    ['missEvent', { kind: 'missEvent' }, ['ADDED b', 'MODIFIED b']],
    ['bookmarkOnly', { kind: 'bookmarkOnly' }, []],
    ['emptyLine', { kind: 'emptyLine', frames: 1 }, ['ADDED a', 'raw ', 'ADDED b', 'MODIFIED b']],
  ] as const)('%s', (_name, rule, wanted) => {
    expect(run(rule, three)).toEqual(wanted)
  })
})
