// The port: one resource of one cluster, listed and watched (client-go `ListerWatcher`), and the cluster that hands
// ports out. Implementations: in-cluster/, kubeconfig/, client-node/, testing/, daemon-kit's manifest directory.

import type { KubeObject } from '@kubewire/kube-model'
import type { Resource } from './resource.ts'
import type { Status } from './status.ts'
import type { WatchError } from './watch-error.ts'

/** Query of a list; names and meaning are the API's (Kubernetes API concepts, resource versions). */
export interface ListOptions {
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly limit?: number
  readonly continue?: string
  readonly resourceVersion?: string
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan'
}

/** Query of a watch. */
export interface WatchOptions {
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly resourceVersion?: string
  readonly resourceVersionMatch?: 'NotOlderThan'
  readonly allowWatchBookmarks?: boolean
  readonly sendInitialEvents?: boolean
  readonly timeoutSeconds?: number
}

/**
 * One page of a list. Items come as they are read; the other fields are only right after the last item, because custom
 * resources write `metadata` behind `items`.
 */
export interface ListPage<T> {
  readonly items: Iterable<T> | AsyncIterable<T>
  readonly resourceVersion: string
  readonly continue?: string
  readonly remainingItemCount?: number
  /** Objects that could not be used (transform threw, other kind, no name); they are not in `items`. */
  readonly problems?: readonly WatchError[]
}

/** One line of a watch. */
export type WatchFrame<T> =
  | { readonly type: 'ADDED' | 'MODIFIED'; readonly object: T }
  | {
      readonly type: 'DELETED'
      readonly object: T
      /** The object exists, but its resource's transform keeps it out; `object` has only its identity. */
      readonly isHidden?: true
    }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly isInitialEventsEnd: boolean }
  | { readonly type: 'ERROR'; readonly status: Status }
  /** A frame that could not be used; it is reported and skipped. */
  | { readonly type: 'INVALID'; readonly error: WatchError; readonly resourceVersion?: string }

/** Lists and watches one resource. Both calls settle when response headers arrive and reject with a `WatchError`. */
export interface ResourceSource<T extends KubeObject> {
  list(options: ListOptions, signal: AbortSignal): Promise<ListPage<T>>
  watch(options: WatchOptions, signal: AbortSignal): Promise<AsyncIterable<WatchFrame<T>>>
}

/** Which objects of a resource. */
export interface Scope {
  /** One namespace; absent means all. */
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** Asks the server for `metadata` only (`PartialObjectMetadata`): less to send, parse and keep. */
  readonly metadataOnly?: boolean
  /** Keeps `metadata.managedFields`; they are left out by default, being up to half of every object. */
  readonly managedFields?: boolean
}

/** One request outside of list and watch: status, events, leases, discovery. */
export interface ClusterRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Absolute path on the server; `resourcePath` makes it. */
  readonly path: string
  readonly query?: { readonly [name: string]: string | number | boolean | undefined }
  /** Sent as JSON. */
  readonly body?: unknown
  /** Default `application/json`; a PATCH must say which kind of patch it is. */
  readonly contentType?: string
  readonly signal?: AbortSignal
  /** Until the whole answer is there; default 30 000. */
  readonly timeoutMs?: number
}

/** A connection to one API server. */
export interface Cluster {
  source<T extends KubeObject>(resource: Resource<T>, scope?: Scope): ResourceSource<T>
  /**
   * Sends one request and decodes the JSON answer. Rejects with a `WatchError` of step `request` whose `status.code`
   * says why (404, 409, …); a 401 is repeated once with fresh credentials, nothing else is repeated.
   */
  request<T = unknown>(request: ClusterRequest): Promise<T>
  /** Ends every connection; resolves when the sockets are closed. */
  close(): Promise<void>
}
