// Hostile bodies of watches and lists: each is read to its end or refused with a WatchError, nothing else is thrown, and a good
// frame behind a bad line still arrives. Longer: KUBEWIRE_FUZZ_SECONDS=600 pnpm unit fuzz

import type { ConfigMap } from '@kubewire/kube-model'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ConfigMaps } from '../resources.ts'
import { WatchError } from '../watch-error.ts'
import { readFrames } from './read-frames.ts'
import { readPage } from './read-page.ts'

const fuzzMs = Number(process.env['KUBEWIRE_FUZZ_SECONDS'] ?? 0.25) * 1000
const pieces = [
  '{',
  '}',
  '[',
  ']',
  '"',
  '\\',
  '\\u',
  ':',
  ',',
  '\n',
  '\r\n',
  '\0',
  'null',
  '1e999',
  '-',
  '"__proto__":{"a":1},',
]

const item =
  '{"metadata":{"name":"a","namespace":"n","uid":"u","resourceVersion":"7","managedFields":[{"f:a":{}}]},"data":{"k":"v\\u00e9"}}'
const watch = [
  `{"type":"ADDED","object":${item.replace('{', '{"kind":"ConfigMap","apiVersion":"v1",')}}`,
  '{"type":"BOOKMARK","object":{"kind":"ConfigMap","metadata":{"resourceVersion":"9","annotations":{"k8s.io/initial-events-end":"true"}}}}',
  '{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old"}}',
].join('\n')
const list = `{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"9","continue":"c"},"items":[${item},${item}]}`

/** A good body with up to six wounds, or noise, in chunks of any size. */
function bodies(good: string): fc.Arbitrary<{ readonly bytes: Buffer; readonly size: number }> {
  const wound = fc.record({
    at: fc.nat({ max: good.length }),
    cut: fc.nat({ max: 12 }),
    put: fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 4 })),
  })
  const wounded = fc
    .array(wound, { maxLength: 6 })
    .map((wounds) => wounds.reduce((text, { at, cut, put }) => text.slice(0, at) + put + text.slice(at + cut), good))
  const bytes = fc.oneof(
    { weight: 4, arbitrary: wounded.map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((noise) => Buffer.from(noise)) },
  )
  return fc.record({ bytes, size: fc.integer({ min: 1, max: 400 }) })
}

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function feed(good: string, read: (body: AsyncIterable<Buffer>) => Promise<void>): Promise<void> {
  const property = fc.asyncProperty(bodies(good), async ({ bytes, size }) => {
    await read(chunksOf(bytes, size)).catch((error: unknown) => {
      // A slip of ours would arrive as a WatchError, too, with the words of the runtime.
      if (!(error instanceof WatchError) || /Cannot read|is not a function|not iterable/.test(error.message))
        throw error
    })
  })
  await fc.assert(property, {
    numRuns: 1_000_000_000,
    interruptAfterTimeLimit: fuzzMs,
    markInterruptAsFailure: false,
    endOnFailure: true,
  })
}

it('frames of a watch', { timeout: fuzzMs + 20_000 }, () =>
  feed(`${watch}\n`, async (body) => {
    for await (const frame of readFrames<ConfigMap>(body, ConfigMaps, {})) expect(frame.type).toBeTypeOf('string')
  }),
)

it('pages of a list', { timeout: fuzzMs + 20_000 }, () =>
  feed(list, async (body) => {
    const page = readPage<ConfigMap>(body, ConfigMaps, {})
    for await (const object of page.items) expect(object.metadata?.name).toBeTruthy()
  }),
)
