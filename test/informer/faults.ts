// The faults, by name: each breaks something once, in front of any server. Writes before, during and after are the
// test's business.

import { pause, type World } from './world.ts'

/** One fault. */
export interface Fault {
  readonly name: string
  break(world: World): Promise<void> | void
}

const status = (code: number, reason: string, more: object = {}): string =>
  JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `${reason} on purpose`,
    reason,
    code,
    ...more,
  })

const tooLarge = status(504, 'Timeout', {
  details: { causes: [{ reason: 'ResourceVersionTooLarge' }], retryAfterSeconds: 0 },
})
const expiredFrame = `{"type":"ERROR","object":${status(410, 'Expired')}}\n`

const onceEnded = async ({ proxy }: World): Promise<void> => {
  proxy.endWatches()
  await pause(1)
}

/** Every fault that a proxy can make. */
export const faults: readonly Fault[] = [
  { name: 'the watch ends cleanly', break: ({ proxy }) => proxy.endWatches() },
  { name: 'the connection is reset', break: ({ proxy }) => proxy.resetAll() },
  {
    name: 'the connection is half open: silence, no FIN',
    break: async ({ proxy }) => {
      // The watchdog counts on bookmarks only where there was one.
      await pause(120)
      proxy.stallWatches()
    },
  },
  {
    name: '410 as a frame',
    break: ({ proxy }) => {
      proxy.writeWatches(expiredFrame)
      proxy.endWatches()
    },
  },
  { name: '410 as a frame, and the stream stays open', break: ({ proxy }) => proxy.writeWatches(expiredFrame) },
  {
    name: '410 as a status',
    break: async (world) => {
      world.proxy.answerNext({ verb: 'watch', status: 410, body: status(410, 'Expired') })
      await onceEnded(world)
    },
  },
  {
    name: '429 with Retry-After on the watch',
    break: async (world) => {
      for (let i = 0; i < 2; i++)
        world.proxy.answerNext({
          verb: 'watch',
          status: 429,
          headers: { 'retry-after': '0.05', 'content-type': 'text/plain' },
          body: 'Too many requests, please try again later.',
        })
      await onceEnded(world)
    },
  },
  {
    name: '429 with Retry-After as a date',
    break: async (world) => {
      const headers = { date: 'Thu, 01 Jan 2026 12:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2026 12:00:01 GMT' }
      world.proxy.answerNext({ verb: 'watch', status: 429, headers, body: status(429, 'TooManyRequests') })
      await onceEnded(world)
    },
  },
  {
    name: '429 on the list',
    break: async (world) => {
      world.proxy.answerNext({ verb: 'list', status: 429, body: status(429, 'TooManyRequests') })
      await onceEnded(world)
    },
  },
  {
    name: '500 on the watch',
    break: async (world) => {
      world.proxy.answerNext({ verb: 'watch', status: 500, body: status(500, 'InternalError') })
      await onceEnded(world)
    },
  },
  {
    name: '500 on the list that follows a 410',
    break: async (world) => {
      world.proxy.answerNext({ verb: 'list', status: 500, body: '' })
      world.proxy.writeWatches(expiredFrame)
      await onceEnded(world)
    },
  },
  {
    name: '503 with an HTML body',
    break: async (world) => {
      world.proxy.answerNext({
        verb: 'watch',
        status: 503,
        headers: { 'content-type': 'text/html' },
        body: '<html>no upstream</html>',
      })
      await onceEnded(world)
    },
  },
  {
    name: '401 once, then good',
    break: async (world) => {
      world.proxy.answerNext({ verb: 'watch', status: 401, body: status(401, 'Unauthorized') })
      await onceEnded(world)
    },
  },
  {
    name: '401 three times, then good',
    break: async (world) => {
      for (let i = 0; i < 3; i++)
        world.proxy.answerNext({ verb: 'watch', status: 401, body: status(401, 'Unauthorized') })
      await onceEnded(world)
    },
  },
  {
    name: '403 for a while',
    break: async (world) => {
      for (let i = 0; i < 2; i++) world.proxy.answerNext({ verb: 'watch', status: 403, body: status(403, 'Forbidden') })
      await onceEnded(world)
    },
  },
  {
    name: 'a slow list body',
    break: ({ proxy }) => {
      proxy.bodyNext('slow')
      proxy.writeWatches(expiredFrame)
      proxy.endWatches()
    },
  },
  {
    name: 'half a list body, then the end',
    break: ({ proxy }) => {
      proxy.bodyNext('half')
      proxy.writeWatches(expiredFrame)
      proxy.endWatches()
    },
  },
  {
    name: 'half a list body, then a reset',
    break: ({ proxy }) => {
      proxy.bodyNext('reset')
      proxy.writeWatches(expiredFrame)
      proxy.endWatches()
    },
  },
  { name: 'half a frame, then the end', break: ({ proxy }) => proxy.cutNextFrame('end') },
  { name: 'half a frame, then a reset', break: ({ proxy }) => proxy.cutNextFrame('reset') },
  { name: 'the next frame comes twice', break: ({ proxy }) => tamperOnce(proxy, (line) => [line, line]) },
  {
    name: 'the next two frames come as one chunk',
    break: ({ proxy }) => holdOne(proxy, (first, second) => [`${first}\n${second}`]),
  },
  {
    name: 'the next two frames come in the wrong order',
    break: ({ proxy }) => holdOne(proxy, (first, second) => [second, first]),
  },
  {
    name: 'an older frame comes after a newer one',
    break: ({ proxy }) => holdOne(proxy, (first, second) => [first, second, first]),
  },
  {
    name: 'bytes come one by one, characters cut',
    break: ({ proxy }) => {
      proxy.isBytewise = !proxy.isBytewise
    },
  },
  { name: 'nothing but bookmarks for a while', break: () => pause(160) },
  {
    name: 'an unknown frame type',
    break: ({ proxy }) => proxy.writeWatches('{"type":"SURPRISE","object":{"metadata":{"name":"x"}}}\n'),
  },
  {
    name: 'a frame of another kind',
    break: ({ proxy }) =>
      proxy.writeWatches(
        '{"type":"ADDED","object":{"kind":"Secret","metadata":{"name":"x","namespace":"faults","resourceVersion":"1"}}}\n',
      ),
  },
  { name: 'a frame without an object', break: ({ proxy }) => proxy.writeWatches('{"type":"ADDED","object":null}\n') },
  { name: 'a frame that is no object at all', break: ({ proxy }) => proxy.writeWatches('null\n') },
  { name: 'empty lines and carriage returns', break: ({ proxy }) => proxy.writeWatches('\r\n\n\r\n') },
  { name: 'garbage in the stream', break: ({ proxy }) => proxy.writeWatches('<html>bad gateway</html>\n') },
  {
    name: 'HTML with status 200 on the watch',
    break: async (world) => {
      world.proxy.answerNext({
        verb: 'watch',
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: '<html></html>',
      })
      await onceEnded(world)
    },
  },
  {
    name: 'HTML with status 200 on the list',
    break: async (world) => {
      world.proxy.answerNext({
        verb: 'list',
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: '<html></html>',
      })
      world.proxy.writeWatches(expiredFrame)
      await onceEnded(world)
    },
  },
  {
    name: 'a list without a version',
    break: async (world) => {
      world.proxy.answerNext({ verb: 'list', status: 200, body: '{"kind":"ConfigMapList","items":[]}' })
      world.proxy.writeWatches(expiredFrame)
      await onceEnded(world)
    },
  },
  {
    name: 'a version that the server has not reached',
    break: async (world) => {
      world.proxy.answerNext({ verb: 'list', status: 504, body: tooLarge })
      world.proxy.writeWatches(expiredFrame)
      await onceEnded(world)
    },
  },
  {
    name: 'a list that expires, and the watch before it',
    break: async (world) => {
      world.proxy.answerNext({ verb: 'list', status: 410, body: status(410, 'Expired') })
      world.proxy.writeWatches(expiredFrame)
      await onceEnded(world)
    },
  },
  {
    name: 'a page that expires',
    break: async (world) => {
      world.proxy.answerNext({ verb: 'page', status: 410, body: status(410, 'Expired') })
      world.proxy.writeWatches(expiredFrame)
      await onceEnded(world)
    },
  },
  {
    name: 'no headers for the watch',
    break: async (world) => {
      world.proxy.hangNext('watch')
      await onceEnded(world)
    },
  },
  {
    name: 'no headers for the list',
    break: async (world) => {
      world.proxy.hangNext('list')
      await onceEnded(world)
    },
  },
  {
    name: 'watches that end at once, again and again',
    break: async (world) => {
      for (let i = 0; i < 3; i++) world.proxy.answerNext({ verb: 'watch', status: 200, body: '' })
      await onceEnded(world)
    },
  },
  {
    name: 'nobody listens for a while',
    break: async ({ proxy }) => {
      await proxy.refuse()
      await pause(30)
      await proxy.listenAgain()
    },
  },
]

function tamperOnce(proxy: World['proxy'], change: (line: string) => readonly string[]): void {
  proxy.tamper((line) => {
    if (line.includes('"BOOKMARK"')) return [line]
    proxy.tamper(undefined)
    return change(line)
  })
}

// Keeps a frame back until the next one is there. Frames of one object swapped would be a lie no client can see through,
// and a bookmark after the kept frame would be one too: it says that everything before it was sent.
function holdOne(proxy: World['proxy'], both: (first: string, second: string) => readonly string[]): void {
  let held: string | undefined
  proxy.tamper((line) => {
    if (line.includes('"BOOKMARK"')) return held === undefined ? [line] : []
    if (held === undefined) {
      held = line
      return []
    }
    proxy.tamper(undefined)
    return both(held, line)
  })
}
