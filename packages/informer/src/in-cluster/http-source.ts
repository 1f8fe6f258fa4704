// Lists and watches one resource over HTTP. Objects are cut from the byte stream one by one, parsed, projected and
// handed on, so nothing larger than one object is ever held as text.

import type { KubeObject } from '@kubewire/kube-model'
import { type Resource, resourcePath } from '../resource.ts'
import type { ListOptions, ResourceSource, Scope, WatchOptions } from '../source.ts'
import { WatchError } from '../watch-error.ts'
import type { HttpClient } from './http-client.ts'
import { printQuery } from './print-query.ts'
import { readFrames } from './read-frames.ts'
import { readPage } from './read-page.ts'

/** A list that sends nothing for so long is given up (a watch is judged by the watch machine). */
const listIdleMs = 60_000

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
