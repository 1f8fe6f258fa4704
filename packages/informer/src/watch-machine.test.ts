import type { KubeObject } from '@kubewire/kube-model'
import { describe, expect, it } from 'vitest'
import type { Status } from './status.ts'
import { errorOfStatus, WatchError } from './watch-error.ts'
import { watchStep } from './watch-machine.ts'
import {
  initialWatchState,
  type WatchCommand,
  type WatchSettings,
  type WatchSignal,
  type WatchState,
} from './watch-state.ts'

const settings: WatchSettings = {
  initialList: 'auto',
  pageSize: 500,
  isPageSizeExplicit: false,
  listSemantics: 'any',
  minWatchTimeoutSeconds: 300,
  idleTimeoutMs: 150_000,
  connectTimeoutMs: 30_000,
}

const statuses: { readonly [name: string]: Status } = {
  expired: { code: 410, reason: 'Expired' },
  gone: { code: 410, reason: 'Gone' },
  tooLarge: { code: 504, reason: 'Timeout', causes: [{ reason: 'ResourceVersionTooLarge' }] },
  oldTooLarge: { code: 504, message: 'Too large resource version: 9, current: 7' },
  invalid: { code: 422, reason: 'Invalid' },
  throttled: { code: 429, reason: 'TooManyRequests', retryAfterSeconds: 7 },
  serverError: { code: 500, reason: 'InternalError' },
  unauthorized: { code: 401, reason: 'Unauthorized' },
  forbidden: { code: 403, reason: 'Forbidden' },
  notFound: { code: 404, reason: 'NotFound' },
}

/**
 * Plays a conversation. A line is `signal → commands`, `+ms` in front lets time pass, a line without an arrow asserts
 * nothing. Objects are written `name@version`, pages `version`, `version…` with more behind, `version name@version` with
 * the landmark of the list.
 */
function play(text: string, options: Partial<WatchSettings> = {}): WatchState {
  let state = initialWatchState
  let nowMs = 0
  for (const line of text.split('\n').map((part) => part.trim())) {
    if (line === '') continue
    const [left = '', right] = line.split('→').map((part) => part.trim())
    const [, ms, words = ''] = /^(?:\+(\d+)\s*)?(.*)$/.exec(left) ?? []
    nowMs += Number(ms ?? 0)
    const step = watchStep<KubeObject>(state, signalOf(words), {
      settings: { ...settings, ...options },
      nowMs,
      random: () => 0,
    })
    state = step.state
    const said = step.commands.map(printCommand).join('; ')
    if (right !== undefined) expect(said, line).toBe(right)
  }
  return state
}

function signalOf(words: string): WatchSignal<KubeObject> {
  const [kind = '', first = '', second] = words.split(/\s+/)
  switch (kind) {
    case 'start':
    case 'opened':
    case 'ended':
    case 'elapsed':
    case 'tick':
      return { kind }
    case 'page': {
      const hasMore = first.endsWith('…')
      const resourceVersion = first.replace('…', '').replace('none', '')
      return {
        kind,
        resourceVersion,
        landmark: second ? landmark(second) : undefined,
        ...(hasMore ? { continue: 'token' } : {}),
      }
    }
    case 'refused':
      return {
        kind: 'failed',
        error: new WatchError({ code: 'INF_CONNECT', step: 'connect', message: 'ECONNREFUSED' }),
      }
    case 'reset':
      return { kind: 'failed', error: new WatchError({ code: 'INF_CONNECT', step: 'watch', message: 'ECONNRESET' }) }
    case 'garbage':
      return { kind: 'failed', error: new WatchError({ code: 'INF_BAD_FRAME', step: 'watch', message: 'HTML' }) }
    case 'failed':
      return { kind, error: errorOfStatus(statuses[first] as Status, 'watch', 'test') }
    case 'error':
      return { kind: 'frame', frame: { type: 'ERROR', status: statuses[first] as Status }, landmark: undefined }
    case 'bookmark':
    case 'end':
      return {
        kind: 'frame',
        frame: { type: 'BOOKMARK', resourceVersion: first, isInitialEventsEnd: kind === 'end' },
        landmark: second ? landmark(second) : undefined,
      }
    case 'unknown':
      return {
        kind: 'frame',
        frame: { type: 'INVALID', error: new WatchError({ code: 'INF_BAD_FRAME', step: 'frame', message: '?' }) },
        landmark: undefined,
      }
    case 'added':
    case 'modified':
    case 'deleted':
      return {
        kind: 'frame',
        frame: { type: kind.toUpperCase() as 'ADDED', object: objectOf(first) },
        landmark: undefined,
      }
    default:
      throw new Error(`expected a signal, got ${words}`)
  }
}

function objectOf(text: string): KubeObject {
  const [name = '', resourceVersion = ''] = text.split('@')
  return { metadata: { name, uid: `uid-${name}`, ...(resourceVersion ? { resourceVersion } : {}) } }
}

function landmark(text: string) {
  const [name = '', version = ''] = text.split('@')
  return { name, namespace: undefined, uid: `uid-${name}`, version }
}

function printCommand(command: WatchCommand<KubeObject>): string {
  switch (command.kind) {
    case 'list':
      return `${command.isProbe ? 'probe' : 'list'} ${printOptions(command.options)}`.trim()
    case 'watch': {
      const { sendInitialEvents, resourceVersion, ...rest } = command.options
      expect(rest, 'every watch asks for bookmarks and an end').toMatchObject({
        allowWatchBookmarks: true,
        timeoutSeconds: 300,
      })
      if (sendInitialEvents) expect(rest.resourceVersionMatch).toBe('NotOlderThan')
      return `${sendInitialEvents ? 'stream' : 'watch'} from ${resourceVersion || 'now'}`
    }
    case 'emit':
      return printEvent(command.event)
    case 'report':
      return command.error.code
    case 'wait':
      return command.atLeastMs > 0 ? `wait ${command.atLeastMs}` : 'wait'
    case 'disconnect':
      return 'disconnect'
  }
}

function printEvent(event: Extract<WatchCommand<KubeObject>, { kind: 'emit' }>['event']): string {
  if (event.type === 'init') return event.isHistoryUncertain ? 'init?' : 'init'
  if ('object' in event) return `${event.type} ${event.object.metadata?.name}`
  return `${event.type} ${event.resourceVersion}`
}

function printOptions(options: object): string {
  return Object.entries(options)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

// A watch that has listed at version 7 with the landmark fig@5 and follows changes.
const watching = `
  start    → list limit=500&resourceVersion=0
  opened   → init
  page 7 fig@5 → initDone 7; watch from 7
  opened   →`

const paged = { initialList: 'paged' } as const

describe('obtaining the state', () => {
  const scripts: readonly [string, string, Partial<WatchSettings>?][] = [
    [
      'is streamed where the server can, and the same connection is watched',
      `
      start        → stream from now
      opened       → init
      added fig@5  → initApply fig
      added pear@3 → initApply pear
      end 9        → initDone 9
      modified fig@12 → apply fig`,
    ],
    [
      'a deletion during the stream is told before its end',
      `
      start
      opened
      added fig@5   → initApply fig
      deleted fig@6 → delete fig
      end 6         → initDone 6`,
    ],
    [
      'falls back to pages when streaming is refused, and remembers it for an hour',
      `
      start          → stream from now
      failed invalid → disconnect; list limit=500&resourceVersion=0
      opened         → init
      page 7         → initDone 7; watch from 7
      failed expired → disconnect; INF_EXPIRED; wait
      +1000 elapsed  → list resourceVersion=7
      opened
      page 8
      failed expired
      +3600000 elapsed → stream from 8`,
    ],
    [
      'a server error on the stream pages this time and streams the next',
      `
      start              → stream from now
      failed serverError → disconnect; list limit=500&resourceVersion=0
      opened
      page 7
      failed expired
      elapsed            → stream from 7`,
    ],
    [
      'a stream that ends before its mark falls back',
      `
      start
      opened
      added fig@5
      ended  → disconnect; list limit=500&resourceVersion=0
      opened → init`,
    ],
    [
      'a stream that never sends its mark falls back after 10 s of silence',
      `
      start
      opened
      added fig@5
      +10000 tick → disconnect; list limit=500&resourceVersion=0`,
    ],
    [
      'a forced stream is never paged',
      `
      start           → stream from now
      failed invalid  → disconnect; INF_SERVER; wait
      elapsed         → stream from now
      opened
      ended           → disconnect; INF_CONNECT; wait`,
      { initialList: 'streaming' },
    ],
    [
      'a refused connection is waited for, not paged',
      `
      start   → stream from now
      refused → disconnect; INF_CONNECT; wait
      elapsed → stream from now`,
    ],
    [
      'a throttled stream waits at least as long as the server asks',
      `
      start            → stream from now
      failed throttled → disconnect; INF_THROTTLED; wait 7000`,
    ],
    [
      'a version the server has not reached is streamed at the most recent, once',
      `
      start
      opened
      end 7
      failed expired
      elapsed         → stream from 7
      failed tooLarge → disconnect; stream from now
      failed tooLarge → disconnect; INF_TOO_LARGE_VERSION; wait`,
    ],
    [
      'pages are followed to the last; version and match are clear on later ones',
      `
      start   → list limit=500&resourceVersion=0
      opened  → init
      page 7… → list limit=500&continue=token
      opened  →
      page 7  → initDone 7; watch from 7`,
      paged,
    ],
    [
      'a server that pages its cache is paged at a version too',
      `
      start
      opened
      page 7…
      opened
      page 7
      failed expired
      elapsed → list limit=500&resourceVersion=7`,
      paged,
    ],
    [
      'a page size of the user is used for every list',
      `
      start → list limit=20&resourceVersion=0
      opened
      page 7
      failed expired
      elapsed → list limit=20&resourceVersion=7`,
      { ...paged, pageSize: 20, isPageSizeExplicit: true },
    ],
    [
      'the most recent state is listed without a version',
      `
      start → list limit=500`,
      { ...paged, listSemantics: 'mostRecent' },
    ],
    [
      'a page that expired is answered with one list in a piece',
      `
      start          → list limit=500&resourceVersion=0
      opened         → init
      page 7…        → list limit=500&continue=token
      failed expired → disconnect; list resourceVersion=0
      opened         → init
      page 8         → initDone 8; watch from 8`,
      paged,
    ],
    [
      'a version that expired is listed at the most recent, at once and once',
      `
      ${watching}
      failed expired → disconnect; INF_EXPIRED; wait
      elapsed        → list resourceVersion=7
      failed expired → disconnect; list limit=500
      failed gone    → disconnect; INF_EXPIRED; wait
      elapsed        → list limit=500
      opened         → init?
      page 9         → initDone 9; watch from 9`,
      paged,
    ],
    [
      'a too large version is recognised by its cause and by its words',
      `
      ${watching}
      failed expired
      elapsed            → list resourceVersion=7
      failed oldTooLarge → disconnect; list limit=500`,
      paged,
    ],
    [
      'any other failure of a list is retried',
      `
      start              → list limit=500&resourceVersion=0
      failed serverError → disconnect; INF_SERVER; wait
      elapsed            → list limit=500&resourceVersion=0
      failed forbidden   → disconnect; INF_FORBIDDEN; wait
      elapsed            → list limit=500&resourceVersion=0
      failed notFound    → disconnect; INF_NOT_FOUND; wait
      elapsed            → list limit=500&resourceVersion=0
      failed unauthorized → disconnect; INF_UNAUTHORIZED; wait`,
      paged,
    ],
    [
      'a list without a version is an error',
      `
      start
      opened    → init
      page none → disconnect; INF_BAD_LIST; wait
      elapsed   → list limit=500&resourceVersion=0`,
      paged,
    ],
    [
      'headers that do not come are not waited for',
      `
      start       → list limit=500&resourceVersion=0
      +29999 tick →
      +1 tick     → disconnect; INF_CONNECT; wait`,
      paged,
    ],
    [
      'after headers did not come for a version, the most recent state is asked for',
      `
      ${watching}
      error expired
      elapsed     → list resourceVersion=7
      +30000 tick → disconnect; INF_CONNECT; wait
      elapsed     → list limit=500`,
      paged,
    ],
  ]
  it.each(scripts)('%s', (_name, script, options) => void play(script, options))
})

describe('following changes', () => {
  const scripts: readonly [string, string, Partial<WatchSettings>?][] = [
    [
      'changes and bookmarks are told and move the version',
      `
      ${watching}
      added pear@8    → apply pear
      modified fig@10 → apply fig
      deleted pear@11 → delete pear
      bookmark 20     → bookmark 20
      +300000 ended   → disconnect; watch from 20`,
    ],
    [
      'a watch that ended by its own timeout is reopened at once, without a look at the server',
      `
      ${watching}
      +296000 ended → disconnect; watch from 7`,
    ],
    [
      'a watch that ended early is resumed after the landmark was found unchanged',
      `
      ${watching}
      +20000 ended → disconnect; probe limit=1&fieldSelector=metadata.name=fig
      opened       →
      page 9 fig@5 → watch from 7`,
    ],
    [
      'a watch that ended ten seconds before its timeout ended early',
      `
      ${watching}
      +290000 ended → disconnect; probe limit=1&fieldSelector=metadata.name=fig`,
    ],
    [
      'a late frame is no landmark',
      `
      ${watching}
      added pear@9
      added plum@8
      +20000 ended → disconnect; probe limit=1&fieldSelector=metadata.name=pear`,
    ],
    [
      'once the most recent state was read, versions are asked for again',
      `
      ${watching}
      error expired
      elapsed
      failed expired → disconnect; list limit=500
      opened
      page 9 fig@8   → initDone 9; watch from 9
      opened
      error expired
      elapsed        → list resourceVersion=9`,
    ],
    [
      'the latest change is the landmark',
      `
      ${watching}
      modified pear@8
      +20000 ended  → disconnect; probe limit=1&fieldSelector=metadata.name=pear
      page 9 pear@8 → watch from 8`,
    ],
    [
      'after a deletion there is no landmark: an empty server is resumed',
      `
      ${watching}
      deleted fig@8
      +20000 ended → disconnect; probe limit=1
      page 9       → watch from 8`,
    ],
    [
      'after a deletion there is no landmark: a server with objects is listed',
      `
      ${watching}
      deleted fig@8
      +20000 ended  → disconnect; probe limit=1
      page 9 pear@2 → list limit=500`,
    ],
    [
      'a landmark that changed meanwhile may be of another history: the state is listed',
      `
      ${watching}
      +20000 ended → disconnect; probe limit=1&fieldSelector=metadata.name=fig
      page 9 fig@8 → list limit=500
      opened       → init?
      page 9 fig@8 → initDone 9; watch from 9`,
    ],
    [
      'versions that went backwards are noticed, healed and reported',
      `
      ${watching}
      +20000 reset → INF_CONNECT; disconnect; probe limit=1&fieldSelector=metadata.name=fig
      page 3       → list limit=500
      opened       → init?
      page 3 kiwi@2 → initDone 3; INF_VERSION_ROLLBACK; watch from 3`,
    ],
    [
      'a broken stream is reported and resumed',
      `
      ${watching}
      added pear@8
      +500 reset → INF_CONNECT; disconnect; probe limit=1&fieldSelector=metadata.name=pear`,
    ],
    [
      'a stream that broke at once and brought nothing waits first',
      `
      ${watching}
      +500 reset → disconnect; INF_CONNECT; wait
      elapsed    → probe limit=1&fieldSelector=metadata.name=fig`,
    ],
    [
      'a watch that ended within a second with nothing waits, then lists',
      `
      ${watching}
      +900 ended → disconnect; INF_SHORT_WATCH; wait
      elapsed    → list resourceVersion=7`,
    ],
    [
      'a watch that ended within a second with a frame is resumed',
      `
      ${watching}
      bookmark 8
      +900 ended → disconnect; probe limit=1&fieldSelector=metadata.name=fig`,
    ],
    [
      'a refused watch probes after the wait, and again until it is answered',
      `
      start
      opened
      page 7 fig@5
      refused      → disconnect; INF_CONNECT; wait
      elapsed      → probe limit=1&fieldSelector=metadata.name=fig
      refused      → disconnect; INF_CONNECT; wait
      elapsed      → probe limit=1&fieldSelector=metadata.name=fig
      page 8 fig@5 → watch from 7`,
    ],
    [
      'a throttled watch waits as long as asked and is not listed',
      `
      start
      opened
      page 7 fig@5
      failed throttled → disconnect; INF_THROTTLED; wait 7000
      elapsed          → probe limit=1&fieldSelector=metadata.name=fig`,
    ],
    [
      'expired by status lists where it was',
      `
      start
      opened
      page 7
      failed expired → disconnect; INF_EXPIRED; wait
      elapsed        → list resourceVersion=7`,
    ],
    [
      'expired by frame lists where it was',
      `
      ${watching}
      error expired → disconnect; INF_EXPIRED; wait
      elapsed       → list resourceVersion=7`,
    ],
    [
      'an error frame with 429 waits and resumes',
      `
      ${watching}
      error throttled → disconnect; INF_THROTTLED; wait 7000
      elapsed         → probe limit=1&fieldSelector=metadata.name=fig`,
    ],
    [
      'any other error frame lists again',
      `
      ${watching}
      error serverError → disconnect; INF_SERVER; wait
      elapsed           → list resourceVersion=7`,
    ],
    [
      'an unreadable stream lists again',
      `
      ${watching}
      garbage → disconnect; INF_BAD_FRAME; wait
      elapsed → list resourceVersion=7`,
    ],
    [
      'a frame that cannot be used is reported and skipped',
      `
      ${watching}
      unknown      → INF_BAD_FRAME
      added pear@8 → apply pear`,
    ],
    [
      'an object without a version is told and moves nothing',
      `
      ${watching}
      added pear    → apply pear
      +300000 ended → disconnect; watch from 7`,
    ],
    [
      'an older frame is told and does not move the version back',
      `
      ${watching}
      added pear@9  → apply pear
      added plum@8  → apply plum
      +300000 ended → disconnect; watch from 9`,
    ],
    [
      'versions are compared by length first',
      `
      ${watching}
      added pear@10 → apply pear
      added plum@9  → apply plum
      +300000 ended → disconnect; watch from 10`,
    ],
  ]
  it.each(scripts)('%s', (_name, script, options = paged) => void play(script, options))
})

describe('silence', () => {
  const scripts: readonly [string, string][] = [
    [
      'after a bookmark, 150 s without a frame drop the connection',
      `
      ${watching}
      +60000 bookmark 8
      +149999 tick → 
      +1 tick      → INF_IDLE; disconnect; probe limit=1&fieldSelector=metadata.name=fig`,
    ],
    [
      'frames put it off',
      `
      ${watching}
      +60000 bookmark 8
      +100000 modified fig@9
      +100000 tick → 
      +50000 tick  → INF_IDLE; disconnect; probe limit=1&fieldSelector=metadata.name=fig`,
    ],
    [
      'before any bookmark only the server’s own timeout and 15 s count',
      `
      ${watching}
      +314999 tick → 
      +1 tick      → INF_IDLE; disconnect; probe limit=1&fieldSelector=metadata.name=fig`,
    ],
  ]
  it.each(scripts)('%s', (_name, script) => void play(script, paged))
})

describe('signals that make no sense in a phase', () => {
  it.each(['ended', 'page 7', 'opened', 'added fig@1', 'elapsed', 'tick', 'refused'])(
    '%s before the start changes nothing',
    (signal) => {
      expect(play(`${signal} → `)).toBe(initialWatchState)
    },
  )
  it('a second start changes nothing', () => void play('start → stream from now\nstart →'))
})
