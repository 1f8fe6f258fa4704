// Lists and watches one resource over HTTP. Objects are cut from the byte stream one by one, parsed, projected and
// handed on, so nothing larger than one object is ever held as text.

import type { KubeObject } from '@kubewire/kube-model'
import { identityOf, projectObject, type Resource, resourcePath } from '../resource.ts'
import type { ListOptions, ListPage, ResourceSource, Scope, WatchFrame, WatchOptions } from '../source.ts'
import { statusOf } from '../status.ts'
import { asWatchError, WatchError } from '../watch-error.ts'
import type { HttpClient } from './http-client.ts'
import { createObjectParser } from './json-object.ts'
import { printQuery } from './print-query.ts'
import { createLineSplitter } from './split-lines.ts'
import { createListSplitter } from './split-list.ts'

/** A list that sends nothing for so long is given up (a watch is judged by the watch machine). */
const listIdleMs = 60_000
const initialEventsEnd = 'k8s.io/initial-events-end'

/** The source of a resource within a scope. */
export function createHttpSource<T extends KubeObject>(
  client: HttpClient,
  resource: Resource<T>,
  scope: Scope = {},
): ResourceSource<T> {
  const path = resourcePath(resource as Resource<never>, scope.namespace ? { namespace: scope.namespace } : {})
  return {
    list: async (options, signal) => {
      const target = path + printQuery({ ...scopedSelectors(scope, options), ...listQuery(options) })
      const accept = acceptOf(scope, 'PartialObjectMetadataList')
      const answer = await client.send({
        step: 'list',
        method: 'GET',
        target,
        accept,
        signal,
        idleTimeoutMs: listIdleMs,
      })
      if (!/\bjson\b/.test(answer.contentType)) throw notJson('list', answer.contentType)
      return readPage(answer.body, resource, scope)
    },
    watch: async (options, signal) => {
      const target = path + printQuery({ watch: 1, ...scopedSelectors(scope, options), ...watchQuery(options) })
      const answer = await client.send({
        step: 'watch',
        method: 'GET',
        target,
        accept: acceptOf(scope, 'PartialObjectMetadata'),
        signal,
      })
      if (!/\bjson\b/.test(answer.contentType)) throw notJson('watch', answer.contentType)
      return readFrames(answer.body, resource, scope)
    },
  }
}

function listQuery({ limit, continue: token, resourceVersion, resourceVersionMatch }: ListOptions): Query {
  return { limit, continue: token, resourceVersion, resourceVersionMatch }
}

function watchQuery(options: WatchOptions): Query {
  const { resourceVersion, resourceVersionMatch, allowWatchBookmarks, sendInitialEvents, timeoutSeconds } = options
  return { resourceVersion, resourceVersionMatch, allowWatchBookmarks, sendInitialEvents, timeoutSeconds }
}

type Query = { readonly [name: string]: string | number | boolean | undefined }

// Both the scope's and the call's selectors must hold: requirements are joined by commas.
function scopedSelectors(scope: Scope, options: Pick<ListOptions, 'labelSelector' | 'fieldSelector'>): Query {
  const both = (a: string | undefined, b: string | undefined): string | undefined =>
    [a, b].filter((text) => text !== undefined && text !== '').join(',') || undefined
  return {
    labelSelector: both(scope.labelSelector, options.labelSelector),
    fieldSelector: both(scope.fieldSelector, options.fieldSelector),
  }
}

// api-server content negotiation: the singular name is refused for lists with 406, the plural for watches.
function acceptOf(scope: Scope, kind: string): string {
  return scope.metadataOnly ? `application/json;as=${kind};g=meta.k8s.io;v=v1` : 'application/json'
}

function notJson(step: 'list' | 'watch', contentType: string): WatchError {
  const message = `expected JSON, got content type "${contentType.slice(0, 80)}"`
  return new WatchError({ code: step === 'list' ? 'INF_BAD_LIST' : 'INF_BAD_FRAME', step, message })
}

interface Envelope {
  readonly kind?: string
  readonly metadata?: { resourceVersion?: string; continue?: string; remainingItemCount?: number }
}

function readPage<T extends KubeObject>(body: AsyncIterable<Buffer>, resource: Resource<T>, scope: Scope): ListPage<T> {
  const problems: WatchError[] = []
  const page: Mutable<ListPage<T>> = { items: readItems(), resourceVersion: '', problems }
  async function* readItems(): AsyncGenerator<T> {
    const splitter = createListSplitter({ keepsManagedFields: scope.managedFields === true })
    try {
      for await (const chunk of body) {
        for (const raw of splitter.push(chunk)) {
          const object = usableItem(resource, raw as KubeObject, problems)
          if (object !== undefined) yield object
        }
      }
      const { items, envelope } = splitter.end()
      for (const raw of items) {
        const object = usableItem(resource, raw as KubeObject, problems)
        if (object !== undefined) yield object
      }
      const { metadata = {} } = envelope as Envelope
      page.resourceVersion = metadata.resourceVersion ?? ''
      if (metadata.continue) page.continue = metadata.continue
      if (metadata.remainingItemCount !== undefined) page.remainingItemCount = metadata.remainingItemCount
    } catch (thrown) {
      throw badJson(thrown, 'list')
    }
  }
  return page
}

type Mutable<P> = { -readonly [K in keyof P]: P[K] }

function usableItem<T extends KubeObject>(
  resource: Resource<T>,
  raw: KubeObject,
  problems: WatchError[],
): T | undefined {
  if (!raw?.metadata?.name) {
    problems.push(
      new WatchError({ code: 'INF_BAD_LIST', step: 'list', message: 'expected items with a name, got one without' }),
    )
    return undefined
  }
  try {
    return projectObject(resource, raw)
  } catch (cause) {
    problems.push(transformError(raw, cause))
    return undefined
  }
}

async function* readFrames<T extends KubeObject>(
  body: AsyncIterable<Buffer>,
  resource: Resource<T>,
  scope: Scope,
): AsyncGenerator<WatchFrame<T>> {
  const splitter = createLineSplitter()
  const parser = createObjectParser({ keepsManagedFields: scope.managedFields === true })
  try {
    for await (const chunk of body) {
      const raws: RawFrame[] = []
      splitter.push(chunk, (bytes, start, end) => raws.push(parser.parse(bytes, start, end, 2) as RawFrame))
      for (const raw of raws) yield* framesOf(raw, resource, scope.metadataOnly === true)
    }
  } catch (thrown) {
    throw badJson(thrown, 'watch')
  }
  // The change in the torn line comes again after resuming at the last version.
  if (splitter.restBytes > 0) {
    throw new WatchError({
      code: 'INF_CONNECT',
      step: 'watch',
      message: 'expected whole frames, the stream ended in the middle of one',
    })
  }
}

interface RawFrame {
  readonly type?: unknown
  readonly object?: KubeObject & { readonly code?: number }
}

function* framesOf<T extends KubeObject>(
  raw: RawFrame,
  resource: Resource<T>,
  metadataOnly: boolean,
): Generator<WatchFrame<T>> {
  const type = raw?.type
  const object = raw?.object
  const { metadata } = object ?? {}
  switch (type) {
    case 'ERROR':
      return yield { type, status: statusOf(object) }
    case 'BOOKMARK': {
      const isInitialEventsEnd = metadata?.annotations?.[initialEventsEnd] === 'true'
      return yield { type, resourceVersion: metadata?.resourceVersion ?? '', isInitialEventsEnd }
    }
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      break
    default:
      return yield {
        type: 'INVALID',
        error: badFrame(`expected a known frame type, got ${JSON.stringify(type)?.slice(0, 80)}`),
      }
  }
  if (!object || !metadata?.name) {
    return yield { type: 'INVALID', error: badFrame('expected an object with a name, got none') }
  }
  const kind = metadataOnly ? 'PartialObjectMetadata' : resource.kind
  if (object.kind !== undefined && object.kind !== kind) {
    const message = `expected a ${kind}, got a ${object.kind.slice(0, 80)}`
    return yield { type: 'INVALID', error: new WatchError({ code: 'INF_WRONG_KIND', step: 'frame', message }) }
  }
  yield* projectedFrames(type, object, resource)
}

function* projectedFrames<T extends KubeObject>(
  type: 'ADDED' | 'MODIFIED' | 'DELETED',
  raw: KubeObject,
  resource: Resource<T>,
): Generator<WatchFrame<T>> {
  let object: T | undefined
  try {
    object = projectObject(resource, raw)
  } catch (cause) {
    yield { type: 'INVALID', error: transformError(raw, cause) }
  }
  if (object !== undefined) yield { type, object }
  // Kept out by its transform: whatever is stored under this name goes.
  else if (type === 'DELETED') yield { type, object: identityOf<T>(raw) }
  else yield { type: 'DELETED', object: identityOf<T>(raw), isHidden: true }
}

function transformError(raw: KubeObject, cause: unknown): WatchError {
  const { namespace, name = '', resourceVersion = '' } = raw.metadata ?? {}
  const key = namespace ? `${namespace}/${name}` : name
  return new WatchError({
    code: 'INF_TRANSFORM',
    step: 'transform',
    message: `transform threw for ${key} at version ${resourceVersion}`,
    cause,
  })
}

function badFrame(message: string): WatchError {
  return new WatchError({ code: 'INF_BAD_FRAME', step: 'frame', message })
}

function badJson(thrown: unknown, step: 'list' | 'watch'): WatchError {
  if (thrown instanceof SyntaxError || thrown instanceof RangeError || thrown instanceof TypeError) {
    const code = step === 'list' ? 'INF_BAD_LIST' : 'INF_BAD_FRAME'
    return new WatchError({
      code,
      step,
      message: `expected JSON of the API: ${thrown.message.slice(0, 120)}`,
      cause: thrown,
    })
  }
  return asWatchError(thrown, step)
}
