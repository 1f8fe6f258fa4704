import type { ConfigMap, KubeObject } from '@kubewire/kube-model'
import { describe, expect, it } from 'vitest'
import type { Resource } from '../resource.ts'
import { transformed } from '../resource.ts'
import { ConfigMaps } from '../resources.ts'
import type { Scope, WatchFrame } from '../source.ts'
import { readFrames } from './read-frames.ts'

const object = (name: string, more: object = {}) => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name, namespace: 'n', uid: `u-${name}`, resourceVersion: '7' },
  ...more,
})
const line = (type: string, content: unknown): string => `${JSON.stringify({ type, object: content })}\n`

async function* chunksOf(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(
  text: string,
  options: { resource?: Resource<KubeObject>; scope?: Scope; size?: number } = {},
): Promise<string[]> {
  const { resource = ConfigMaps as Resource<KubeObject>, scope = {}, size = 1000 } = options
  const told: string[] = []
  try {
    for await (const frame of readFrames(chunksOf(text, size), resource, scope)) told.push(print(frame))
  } catch (error) {
    told.push(`throws ${(error as { code?: string }).code}`)
  }
  return told
}

function print(frame: WatchFrame<KubeObject>): string {
  switch (frame.type) {
    case 'BOOKMARK':
      return `BOOKMARK ${frame.resourceVersion}${frame.isInitialEventsEnd ? ' end' : ''}`
    case 'ERROR':
      return `ERROR ${frame.status.code}`
    case 'INVALID':
      return frame.error.code
    default:
      return `${frame.type} ${frame.object.metadata?.name}${'isHidden' in frame ? ' hidden' : ''}`
  }
}

describe('frames of a watch', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'changes',
      line('ADDED', object('a')) + line('MODIFIED', object('a')) + line('DELETED', object('a')),
      ['ADDED a', 'MODIFIED a', 'DELETED a'],
    ],
    ['bookmarks', line('BOOKMARK', { kind: 'ConfigMap', metadata: { resourceVersion: '9' } }), ['BOOKMARK 9']],
    [
      'the end of the initial events',
      line('BOOKMARK', { metadata: { resourceVersion: '9', annotations: { 'k8s.io/initial-events-end': 'true' } } }),
      ['BOOKMARK 9 end'],
    ],
    ['an error', line('ERROR', { kind: 'Status', code: 410 }), ['ERROR 410']],
    [
      'an unknown type is told and skipped',
      line('SURPRISE', object('a')) + line('ADDED', object('b')),
      ['INF_BAD_FRAME', 'ADDED b'],
    ],
    [
      'another kind is told and skipped',
      line('ADDED', { ...object('a'), kind: 'Secret' }) + line('ADDED', object('b')),
      ['INF_WRONG_KIND', 'ADDED b'],
    ],
    [
      'a kind that is no text is another, too',
      line('ADDED', { ...object('a'), kind: 7 }) + line('ADDED', object('b')),
      ['INF_WRONG_KIND', 'ADDED b'],
    ],
    [
      'a table is another kind',
      line('ADDED', { kind: 'Table', metadata: { name: 'a' }, rows: [] }),
      ['INF_WRONG_KIND'],
    ],
    ['an object without a name', line('ADDED', { kind: 'ConfigMap', metadata: {} }), ['INF_BAD_FRAME']],
    ['an object that is null', line('ADDED', null), ['INF_BAD_FRAME']],
    ['a line that is null', 'null\n', ['INF_BAD_FRAME']],
    ['a line that is a number', '7\n', ['INF_BAD_FRAME']],
    ['an object without kind is believed', line('ADDED', { metadata: { name: 'a' } }), ['ADDED a']],
    ['carriage returns and empty lines', `\r\n${line('ADDED', object('a')).trim()}\r\n\n`, ['ADDED a']],
    ['no JSON ends the stream', `<html>\n${line('ADDED', object('b'))}`, ['throws INF_BAD_FRAME']],
    [
      'half a line at the end is a broken connection',
      line('ADDED', object('a')) + line('ADDED', object('b')).slice(0, 30),
      ['ADDED a', 'throws INF_CONNECT'],
    ],
    ['characters of several bytes', line('ADDED', object('a', { data: { text: 'ä€😀' } })), ['ADDED a']],
  ])('%s', async (_name, text, told) => {
    expect(await read(text)).toEqual(told)
    expect(await read(text, { size: 1 }), 'byte by byte').toEqual(told)
  })

  it('of nine megabytes', async () => {
    const big = 'ä'.repeat(4_500_000)
    for await (const frame of readFrames(
      chunksOf(line('ADDED', object('a', { data: { big } })), 65_536),
      ConfigMaps,
      {},
    )) {
      expect((frame as { object: ConfigMap }).object.data?.['big']).toBe(big)
    }
  })

  it('of metadata only have a kind of their own', async () => {
    expect(
      await read(line('ADDED', { kind: 'PartialObjectMetadata', metadata: { name: 'a' } }), {
        scope: { metadataOnly: true },
      }),
    ).toEqual(['ADDED a'])
    expect(await read(line('ADDED', object('a')), { scope: { metadataOnly: true } })).toEqual(['INF_WRONG_KIND'])
  })

  it('what a transform keeps out is deleted, what it throws at is told and deleted', async () => {
    const resource = transformed(ConfigMaps as Resource<KubeObject>, (one) => {
      if (one.metadata?.name === 'bad') throw new Error('no')
      return one.metadata?.name === 'hidden' ? undefined : one
    })
    const text =
      line('ADDED', object('a')) +
      line('MODIFIED', object('hidden')) +
      line('DELETED', object('hidden')) +
      line('MODIFIED', object('bad'))
    expect(await read(text, { resource })).toEqual([
      'ADDED a',
      'DELETED hidden hidden',
      'DELETED hidden',
      'INF_TRANSFORM',
      'DELETED bad hidden',
    ])
  })
})
