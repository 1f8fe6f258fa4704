// A server without sockets for this package's tests: requests in, answers and frames out, on a clock that stands still.

import { createManualClock, type ManualClock } from '../clock.ts'
import { createState, type StateOptions } from '../create-state.ts'
import type { Answer } from '../http/answer.ts'
import { handleRequest } from '../http/handle-request.ts'
import { admin } from '../http/users.ts'
import type { JsonObject } from '../json.ts'
import type { ServerState } from '../server-state.ts'
import { listDocument } from '../verbs/list.ts'
import type { WatchFrame } from '../verbs/watch.ts'

/** A server under test. */
export interface TestServer {
  readonly state: ServerState
  readonly clock: ManualClock
  /** Asks as the administrator; the body is sent as JSON, a text as it stands. */
  ask(
    request: string,
    body?: unknown,
    contentType?: string,
  ): Promise<{ readonly status: number; readonly body: JsonObject }>
  /** Opens a watch and collects its frames; `null` at the end when the server ended it. */
  watch(path: string): Promise<{ readonly frames: (WatchFrame | null)[]; stop(): void }>
}

/** Makes a server with reproducible randomness. */
export function createTestServer(options: StateOptions = {}): TestServer {
  const clock = createManualClock()
  let seed = 1
  const random = (): number => {
    seed = (seed * 16807) % 2147483647
    return seed / 2147483647
  }
  const state = createState({ clock, random, ...options }, new Map([['admin', admin]]))
  const answerTo = (request: string, body?: unknown, contentType = 'application/json'): Promise<Answer> => {
    const [method = '', path = ''] = request.split(' ')
    const url = new URL(path, 'http://server')
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
    return handleRequest(state, {
      method,
      path: url.pathname,
      query: url.searchParams,
      user: admin,
      userAgent: 'test',
      contentType,
      accept: undefined,
      headers: {},
      body: async () => Buffer.from(text),
    })
  }
  return {
    state,
    clock,
    ask: async (request, body, contentType) => bodyOf(await answerTo(request, body, contentType)),
    watch: async (path) => {
      const answer = await answerTo(`GET ${path}`)
      if (answer.kind !== 'watch') throw new Error(`no watch: ${JSON.stringify(bodyOf(answer))}`)
      const frames: (WatchFrame | null)[] = []
      const stop = answer.start({ send: (frame) => frames.push(frame), end: () => frames.push(null) })
      return { frames, stop }
    },
  }
}

function bodyOf(answer: Answer): { status: number; body: JsonObject } {
  switch (answer.kind) {
    case 'object':
      return { status: answer.status, body: answer.object }
    case 'list':
      return { status: 200, body: listDocument(answer.list) }
    case 'document':
      return { status: answer.status, body: answer.document }
    case 'text':
      return { status: answer.status, body: { text: answer.text } }
    default:
      return { status: 200, body: {} }
  }
}
