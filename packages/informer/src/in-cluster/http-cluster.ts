// A `Cluster` over HTTP: what in-cluster, kubeconfig and client-node logins have in common.

import type { KubeObject } from '@kubewire/kube-model'
import type { Resource } from '../resource.ts'
import type { Cluster, ClusterRequest, ResourceSource, Scope } from '../source.ts'
import { WatchError } from '../watch-error.ts'
import { createHttpClient, type HttpClient, type HttpClientOptions } from './http-client.ts'
import { createHttpSource } from './http-source.ts'
import type { Login } from './login.ts'
import { printQuery } from './print-query.ts'

const requestTimeoutMs = 30_000

/** A cluster that talks to the login's server. */
export function createHttpCluster(login: Login, options: HttpClientOptions = {}): Cluster {
  const client = createHttpClient(login, options)
  return {
    source: <T extends KubeObject>(resource: Resource<T>, scope?: Scope): ResourceSource<T> =>
      createHttpSource(client, resource, scope),
    request: (request) => sendRequest(client, request),
    close: () => client.close(),
  }
}

async function sendRequest<T>(client: HttpClient, request: ClusterRequest): Promise<T> {
  const { method, path, query = {}, body, contentType = 'application/json', signal } = request
  const { timeoutMs = requestTimeoutMs } = request
  const limit = new AbortController()
  const abort = (): void => limit.abort()
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  const timer = setTimeout(abort, timeoutMs)
  try {
    const answer = await client.send({
      step: 'request',
      method,
      target: path + printQuery(query),
      accept: 'application/json',
      ...(body === undefined ? {} : { body: JSON.stringify(body), contentType }),
      signal: limit.signal,
    })
    const pieces: Buffer[] = []
    for await (const chunk of answer.body) pieces.push(chunk)
    const text = Buffer.concat(pieces).toString('utf8')
    return (/\bjson\b/.test(answer.contentType) ? JSON.parse(text) : text) as T
  } catch (thrown) {
    if (thrown instanceof SyntaxError) {
      const message = `${method} ${path}: expected JSON, got something else`
      throw new WatchError({ code: 'INF_REQUEST', step: 'request', message, cause: thrown })
    }
    throw thrown
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}
