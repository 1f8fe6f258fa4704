// An informer against the faults that the mini API server makes itself, one row per kind, nothing between the two but a
// socket. Injected in the process for one informer, by `POST /__faults` for the other.

import { type FaultKind, type FaultRule, faultKinds } from '@kubewire/mini-apiserver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMiniServer, type MiniServer } from './mini-world.ts'
import { createWorld, pause, type World } from './world.ts'

/** What goes with a fault: how it is reached, and what only another answer of the server can heal. */
interface Row {
  readonly rule?: Partial<FaultRule>
  /** Reached by `resume` (the default: connections are dropped), `relist` (history is gone, too), or at `once`. */
  readonly by?: 'resume' | 'relist' | 'once'
  /** Lies that no client can see through: healed by the next list. */
  readonly isHiddenUntilRelist?: boolean
  /** Code of an error that must have been told. */
  readonly tells?: string
  /** And how long the informer waited at least after it. */
  readonly waitsMs?: number
}

// With `frames: 1` a bookmark comes first: the watchdog counts on one.
const rows: { readonly [kind in FaultKind]: Row } = {
  throttle: { rule: { retryAfter: 1, verb: 'watch' }, tells: 'INF_THROTTLED', waitsMs: 1000 },
  serverError: { by: 'relist', rule: { status: 502, body: 'html', verb: 'list', times: 2 }, tells: 'INF_SERVER' },
  unauthorized: { rule: { verb: 'watch', times: 3 }, tells: 'INF_UNAUTHORIZED' },
  forbidden: { rule: { verb: 'watch' }, tells: 'INF_FORBIDDEN' },
  expired: { rule: { verb: 'watch' } },
  expirePage: { by: 'relist', rule: { verb: 'list', times: 4 } },
  tooLargeVersion: { by: 'relist', rule: { verb: 'list' } },
  garbage: { rule: { verb: 'watch' }, tells: 'INF_BAD_FRAME' },
  hang: { rule: { verb: 'watch' } },
  refuseConnection: { rule: { times: 4 }, tells: 'INF_CONNECT' },
  slowBody: { by: 'relist', rule: { verb: 'list', chunk: 50, everyMs: 1, times: 2 } },
  ignoreLimit: { by: 'relist', rule: { verb: 'list', times: 2 } },
  ignoreSelector: { by: 'relist', rule: { times: 2 } },
  clockSkew: { rule: { times: 3 } },
  dropWatch: { rule: { times: 3 } },
  reset: { rule: { frames: 1 }, tells: 'INF_CONNECT' },
  stall: { rule: { frames: 1 } },
  halfFrame: {},
  gone: {},
  futureVersion: {},
  joinFrames: {},
  splitFrames: {},
  duplicateEvent: {},
  staleEvent: {},
  reorder: {},
  missEvent: { isHiddenUntilRelist: true },
  bookmarkOnly: { isHiddenUntilRelist: true },
  earlyEndBookmark: { by: 'relist' },
  noEndBookmark: { by: 'relist', isHiddenUntilRelist: true },
  unknownType: { tells: 'INF_BAD_FRAME' },
  wrongKind: { tells: 'INF_WRONG_KIND' },
  nullObject: { tells: 'INF_BAD_FRAME' },
  noVersion: {},
  tableFrame: {},
  emptyLine: {},
  badJson: { tells: 'INF_BAD_FRAME' },
  hugeLine: {},
  restart: { by: 'once', rule: { downMs: 30 }, tells: 'INF_CONNECT' },
  rollback: { by: 'once', rule: { by: 2 } },
  compact: { by: 'once' },
  dropConnections: { by: 'once' },
}
const kinds = Object.keys(faultKinds) as FaultKind[]

describe.each([
  ['read by pages, faults injected in the process', 'paged', 'inject'],
  ['streamed, faults posted over HTTP', 'streaming', 'post'],
] as const)('an informer whose state is %s, after', (_name, initialList, way) => {
  let server: MiniServer
  let world: World
  beforeAll(async () => {
    server = await createMiniServer({ allowsFaults: true })
    world = await createWorld(server, { initialList, pageSize: 2, isDirect: true })
    await world.settled()
  })
  afterAll(async () => {
    await world.close()
    await server.api.close()
    const left = (): readonly string[] => process.getActiveResourcesInfo().filter((what) => what.startsWith('TCP'))
    for (let look = 0; look < 100 && left().length > 0; look++) await pause(20)
    expect(left()).toEqual([])
  })

  const inject = async (rule: FaultRule): Promise<void> => {
    if (way === 'inject') return server.api.faults.inject(rule)
    // The fault that resets every connection may take its own answer along.
    const answer = fetch(`${server.url}/__faults`, { method: 'POST', body: JSON.stringify(rule) })
    const status = await answer.then((response) => response.status).catch(() => 200)
    expect(status).toBe(200)
  }
  const relist = (): void => {
    server.api.compact()
    server.api.faults.inject({ kind: 'gone', resource: 'configmaps' })
    server.api.dropConnections()
  }

  it.each(kinds)('%s, equals the server again', async (kind) => {
    const { rule, by = 'resume', isHiddenUntilRelist = false, tells, waitsMs = 0 } = rows[kind]
    const told = world.errors.length
    if (by === 'relist') server.api.faults.inject({ kind: 'gone', resource: 'configmaps' })
    // What is to hit the stream that follows lets the one that is told 410 pass.
    const skip = by === 'relist' && (kind === 'earlyEndBookmark' || kind === 'noEndBookmark') ? { skip: 1 } : {}
    const where = by === 'once' ? {} : { resource: 'configmaps' }
    await inject({ kind, ...where, ...skip, ...rule })
    if (by !== 'once') server.api.dropConnections()
    // Changes come when the fault stands in their way, not before: those would be read with the state.
    if (by === 'resume') await server.bookmarked()
    await server.write('fig', `after ${kind} ä€😀`)
    await server.write('fig', `again after ${kind} ä€😀`)
    await server.write('kiwi', 'new')
    await server.remove('plum')
    if (isHiddenUntilRelist) {
      await pause(120)
      server.api.faults.clear()
      relist()
    }
    await world.settled()
    // A write at the end: after a deletion the next connection reads the whole state instead of resuming.
    await server.remove('kiwi')
    await server.write('plum', 'back')
    await world.settled()
    world.checkEvents()
    const errors = world.errors.slice(told)
    if (tells !== undefined) expect(errors.map(({ code }) => code)).toContain(tells)
    expect(Math.max(0, ...errors.map(({ retryInMs = 0 }) => retryInMs))).toBeGreaterThanOrEqual(waitsMs)
    const { items } = (await (await fetch(`${server.url}/__faults`)).json()) as { items: readonly FaultRule[] }
    if (!rule?.times && !isHiddenUntilRelist) expect(items).toEqual([])
    server.api.faults.clear()
  })
})
