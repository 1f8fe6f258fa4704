// The operators of this folder, as marble diagrams and tables on virtual time.

import { type KubeObject, objectKey } from '@kubewire/kube-model'
import { map, type Observable } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import { describe, expect, it } from 'vitest'
import type { InformerEvent, ResourceEvent } from '../event.ts'
import { createInformer } from '../informer.ts'
import { scriptedSource, settle } from '../testing/scripted-source.ts'
import { batchByKey, mergeEvents } from './batch-by-key.ts'
import { changedBy, predicates } from './changed-by.ts'
import { coalesce } from './coalesce.ts'
import { project } from './project.ts'
import { whenSynced } from './synced.ts'

const marbles = (run: Parameters<TestScheduler['run']>[0]) =>
  new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(run)

const fig = (version: string, extra: Partial<KubeObject> = {}): KubeObject => ({
  metadata: { name: 'fig', resourceVersion: version, ...extra.metadata },
  ...(extra.kind ? { kind: extra.kind } : {}),
})
const key = objectKey(undefined, 'fig')
const added = (object: KubeObject): InformerEvent<KubeObject> => ({
  type: 'added',
  key,
  object,
  isInInitialList: false,
})
const updated = (previous: KubeObject, object: KubeObject, isReplaced = false): InformerEvent<KubeObject> => ({
  type: 'updated',
  key,
  object,
  previous,
  cause: 'watch',
  isReplaced,
})
const deleted = (object: KubeObject): InformerEvent<KubeObject> => ({
  type: 'deleted',
  key,
  object,
  isFinalStateUnknown: false,
})

describe('coalesce', () => {
  it.each<[string, string, string, { minMs: number; maxMs: number }]>([
    [
      'tells the first change at once and collapses a burst to the end of the interval',
      'a-bcd 20ms -',
      'x 9ms x',
      { minMs: 10, maxMs: Number.POSITIVE_INFINITY },
    ],
    ['tells a change after quiet time at once', 'a 20ms b', 'x 20ms x', { minMs: 10, maxMs: Number.POSITIVE_INFINITY }],
    ['emits without a change after the longest interval', 'a 79ms -', 'x 29ms x 29ms x', { minMs: 10, maxMs: 30 }],
  ])('%s', (_name, source, expected, options) => {
    marbles(({ hot, expectObservable }) => {
      const out = hot(source).pipe(
        coalesce(options),
        map(() => 'x'),
      )
      expectObservable(out, '^ 79ms !').toBe(expected)
    })
  })

  it('tells what is pending when the source completes', () => {
    marbles(({ hot, expectObservable }) => {
      expectObservable(
        hot('ab|').pipe(
          coalesce({ minMs: 10, maxMs: 100 }),
          map(() => 'x'),
        ),
      ).toBe('x-(x|)')
    })
  })
})

describe('changedBy', () => {
  const labelled = (value: string) => fig('1', { metadata: { labels: { app: value }, generation: 3 } })
  it.each<[string, InformerEvent<KubeObject>, boolean]>([
    ['an addition passes', added(fig('1')), true],
    ['a deletion passes', deleted(fig('1')), true],
    ['a replacement passes', updated(labelled('a'), labelled('a'), true), true],
    ['an update of the chosen value passes', updated(labelled('a'), labelled('b')), true],
    ['an update of anything else is dropped', updated(labelled('a'), { ...labelled('a'), kind: 'Pod' }), false],
  ])('%s', (_name, event, passes) => {
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('e', { e: event }).pipe(changedBy(predicates.labels))).toBe(passes ? 'e' : '', { e: event })
    })
  })

  it('takes the version for kinds without a generation', () => {
    expect([predicates.generation(fig('7')), predicates.generation(labelled('a'))]).toEqual(['7', 3])
  })
})

describe('the net change of an object', () => {
  it.each<[string, InformerEvent<KubeObject>, InformerEvent<KubeObject>, InformerEvent<KubeObject> | undefined]>([
    ['added, then updated, is added as updated', added(fig('1')), updated(fig('1'), fig('2')), added(fig('2'))],
    ['added, then deleted, is nothing', added(fig('1')), deleted(fig('2')), undefined],
    [
      'updated twice is one update from the first state',
      updated(fig('1'), fig('2')),
      updated(fig('2'), fig('3')),
      updated(fig('1'), fig('3')),
    ],
    ['updated, then deleted, is deleted', updated(fig('1'), fig('2')), deleted(fig('3')), deleted(fig('3'))],
    ['deleted, then added, is a replacement', deleted(fig('2')), added(fig('3')), updated(fig('2'), fig('3'), true)],
    [
      'a replacement stays one',
      updated(fig('1'), fig('2'), true),
      updated(fig('2'), fig('3')),
      updated(fig('1'), fig('3'), true),
    ],
  ])('%s', (_name, first, second, net) => expect(mergeEvents(first, second)).toEqual(net))

  it('is told once per window, counted from its first event', () => {
    const a = added(fig('1'))
    const b = updated(fig('1'), fig('2'))
    const c = deleted(fig('3'))
    marbles(({ hot, expectObservable }) => {
      const out = hot('ab 20ms c', { a, b, c }).pipe(
        batchByKey<KubeObject>({ maxMs: 10 }),
        map((batch) => [...batch.values()]),
      )
      expectObservable(out, '^ 50ms !').toBe('10ms x 21ms y', { x: [added(fig('2'))], y: [c] })
    })
  })

  it('a window in which everything cancelled out is silent', () => {
    marbles(({ hot, expectObservable }) => {
      const out = hot('ac|', { a: added(fig('1')), c: deleted(fig('2')) }).pipe(batchByKey<KubeObject>({ maxMs: 10 }))
      expectObservable(out).toBe('--|')
    })
  })
})

describe('project', () => {
  const onlyPods = (object: KubeObject) => (object.kind === 'Pod' ? { metadata: { name: 'pod' } } : undefined)
  const pod = fig('1', { kind: 'Pod' })
  const other = fig('1', { kind: 'Node' })
  const projected = { metadata: { name: 'pod' } }
  it.each<[string, ResourceEvent<KubeObject>, ResourceEvent<KubeObject>[]]>([
    ['maps the objects of a list', { type: 'initApply', object: pod }, [{ type: 'initApply', object: projected }]],
    ['leaves objects out of a list', { type: 'initApply', object: other }, []],
    ['maps a change', { type: 'apply', object: pod }, [{ type: 'apply', object: projected }]],
    [
      'turns a change into a deletion',
      { type: 'apply', object: other },
      [{ type: 'delete', object: other, isHidden: true }],
    ],
    ['maps a deletion', { type: 'delete', object: pod }, [{ type: 'delete', object: projected }]],
    [
      'passes everything else',
      { type: 'initDone', resourceVersion: '7' },
      [{ type: 'initDone', resourceVersion: '7' }],
    ],
  ])('%s', (_name, event, out) => {
    marbles(({ hot, expectObservable }) => {
      const values = Object.fromEntries(out.map((value, i) => [String(i), value]))
      const pattern = out.length === 0 ? '' : `(${out.map((_, i) => i).join('')})`
      expectObservable(hot('e', { e: event }).pipe(project(onlyPods)) as Observable<unknown>).toBe(pattern, values)
    })
  })
})

describe('whenSynced', () => {
  it('emits once when all have synced, also when they had before', async () => {
    const one = createInformer(scriptedSource<KubeObject>([fig('1')]))
    const two = createInformer(scriptedSource<KubeObject>([fig('2')]))
    const told: string[] = []
    whenSynced(one, two).subscribe({ next: () => told.push('synced'), complete: () => told.push('done') })
    await one.start().synced()
    await settle()
    expect(told).toEqual([])
    await two.start().synced()
    expect(told).toEqual(['synced', 'done'])
    whenSynced(one, two).subscribe(() => told.push('again'))
    whenSynced().subscribe(() => told.push('nothing to wait for'))
    expect(told.slice(2)).toEqual(['again', 'nothing to wait for'])
    await Promise.all([one.close(), two.close()])
  })
})
