// The control socket of the running nginx: pushes of backends, certificates and routes, and what it tells about itself.

import { existsSync } from 'node:fs'
import { request } from 'node:http'
import type { DataChange, DynamicData } from '@kubewire/nginx-gen'

/** nginx did not take what was pushed. */
export class PushError extends Error {
  override readonly name = 'PushError'
  readonly status: number | undefined
  constructor(message: string, status?: number, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
  }
}

/** Status of nginx's answer to a controller that another one has followed. */
export const takenOver = 409

/** The client side of the control socket. Every call rejects with `PushError` when nginx does not answer as it should. */
export interface DataPush {
  /** Makes this controller the one whose pushes nginx takes; those of an earlier one are refused from then on. */
  takeOver(): Promise<void>
  /** Whether no other controller has taken over since. */
  isOwner(): Promise<boolean>
  /** Replaces everything nginx holds. */
  pushAll(data: DynamicData): Promise<void>
  pushChange(change: DataChange): Promise<void>
  /** Which of these expressions the router's library refuses, each with why. */
  refusedPatterns(patterns: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** From now on, for so long, answers tell HTTP/1 clients that their connection is over. */
  drain(milliseconds: number): Promise<void>
  /** How often workers have started: grows by one with every start and reload. 0 before nginx listens. */
  generation(): Promise<number>
  isInitialized(): Promise<boolean>
  /** Text of nginx's status page. */
  status(): Promise<string>
}

/** Creates the client; nothing is sent. */
export function createDataPush(socketPath: string): DataPush {
  let owner: number | undefined
  const send = async (path: string, body: object): Promise<string> => {
    const answer = await ask(socketPath, 'POST', path, JSON.stringify(body))
    if (answer.status !== 201)
      throw new PushError(`nginx answered ${answer.status} to ${path}: ${answer.body.trim()}`, answer.status)
    return answer.body
  }
  const post = async (path: string, body: object): Promise<void> => {
    await send(path, owner === undefined ? body : { owner, ...body })
  }
  const get = async (path: string): Promise<string> => {
    const answer = await ask(socketPath, 'GET', path, '')
    if (answer.status !== 200) throw new PushError(`nginx answered ${answer.status} to ${path}`, answer.status)
    return answer.body
  }
  return {
    takeOver: async () => {
      owner = Number(await send('/owner', {}))
    },
    isOwner: async () => owner === undefined || Number(await get('/owner')) === owner,
    // What a route names is there before the route, and goes after it.
    pushAll: async ({ backends, servers, certificates, routes }) => {
      await post('/configuration/servers', { whole: true, servers, certificates })
      await post('/configuration/backends', { backends })
      await post('/configuration/routes', { whole: true, hosts: routes })
      await post('/configuration/backends', { whole: true, backends })
    },
    pushChange: async ({ backends, servers, certificates, routes }) => {
      if (!isEmpty(servers) || !isEmpty(certificates)) await post('/configuration/servers', { servers, certificates })
      if (isEmpty(routes)) {
        if (!isEmpty(backends)) await post('/configuration/backends', { backends })
        return
      }
      const [present, gone] = parted(backends)
      if (!isEmpty(present)) await post('/configuration/backends', { backends: present })
      await post('/configuration/routes', { hosts: routes })
      if (!isEmpty(gone)) await post('/configuration/backends', { backends: gone })
    },
    refusedPatterns: async (patterns) => {
      const answer = await ask(socketPath, 'POST', '/patterns', JSON.stringify(patterns))
      if (answer.status !== 200) throw new PushError(`nginx answered ${answer.status} to /patterns`, answer.status)
      return new Map(Object.entries(JSON.parse(answer.body) as { readonly [pattern: string]: string }))
    },
    drain: async (milliseconds) => void (await send('/drain', { seconds: milliseconds / 1000 })),
    // A connection that fails costs more than a look: nginx that starts is asked every few milliseconds.
    generation: async () => (existsSync(socketPath) ? Number(await get('/generation')) : 0),
    isInitialized: async () => (await ask(socketPath, 'GET', '/is-dynamic-lb-initialized', '')).status === 200,
    status: () => get('/nginx_status'),
  }
}

interface Answer {
  readonly status: number
  readonly body: string
}

const answerLimitMs = 10_000

function ask(socketPath: string, method: string, path: string, body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown): void =>
      reject(new PushError(`the control socket does not answer ${path}`, undefined, cause))
    const sent = request(
      {
        socketPath,
        method,
        path,
        headers: { host: 'control', 'content-length': Buffer.byteLength(body) },
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', fail)
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }))
      },
    )
    sent.setTimeout(answerLimitMs, () => sent.destroy(new Error(`no answer within ${answerLimitMs} ms`)))
    sent.on('error', fail)
    sent.end(body)
  })
}

function parted(entries: DataChange['backends']): readonly [DataChange['backends'], DataChange['backends']] {
  const all = Object.entries(entries)
  return [
    Object.fromEntries(all.filter(([, text]) => text !== null)),
    Object.fromEntries(all.filter(([, text]) => text === null)),
  ]
}

function isEmpty(entries: object): boolean {
  return Object.keys(entries).length === 0
}
