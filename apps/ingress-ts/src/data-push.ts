// The control socket of the running nginx: pushes of backends and certificates, and what it tells about itself.

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

/** The client side of the control socket. Every call rejects with `PushError` when nginx does not answer as it should. */
export interface DataPush {
  /** Replaces everything nginx holds. */
  pushAll(data: DynamicData): Promise<void>
  pushChange(change: DataChange): Promise<void>
  /** How often workers have started: grows by one with every start and reload. */
  generation(): Promise<number>
  isInitialized(): Promise<boolean>
  /** Text of nginx's status page. */
  status(): Promise<string>
}

/** Creates the client; nothing is sent. */
export function createDataPush(socketPath: string): DataPush {
  const post = async (path: string, body: unknown): Promise<void> => {
    const answer = await ask(socketPath, 'POST', path, JSON.stringify(body))
    if (answer.status !== 201)
      throw new PushError(`nginx answered ${answer.status} to ${path}: ${answer.body.trim()}`, answer.status)
  }
  const get = async (path: string): Promise<string> => {
    const answer = await ask(socketPath, 'GET', path, '')
    if (answer.status !== 200) throw new PushError(`nginx answered ${answer.status} to ${path}`, answer.status)
    return answer.body
  }
  return {
    pushAll: async ({ backends, servers, certificates }) => {
      await post('/configuration/servers', { whole: true, servers, certificates })
      await post('/configuration/backends', { whole: true, backends })
    },
    pushChange: async ({ backends, servers, certificates }) => {
      if (!isEmpty(servers) || !isEmpty(certificates)) await post('/configuration/servers', { servers, certificates })
      if (!isEmpty(backends)) await post('/configuration/backends', { backends })
    },
    generation: async () => Number(await get('/generation')),
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

function isEmpty(entries: object): boolean {
  return Object.keys(entries).length === 0
}
