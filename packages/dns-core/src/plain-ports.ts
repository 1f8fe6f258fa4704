// Ports without a world: a clock that stands, a snapshot instead of a cluster, files from a map. For the command line,
// tests and examples; the daemon has its own.

import {
  type ClusterSnapshot,
  emptySnapshot,
  type KubeObject,
  matchesSelector,
  parseSelector,
} from '@kubewire/kube-model'
import { importedServiceLabel } from './kube/cluster-objects.ts'
import type { WatchedKind, WatchRequest } from './kube/cluster-view.ts'
import type { ZoneIndex } from './kube/zone-index.ts'
import type { Ports } from './plugin.ts'

/** What the world looks like. */
export interface PlainWorld {
  readonly snapshot?: ClusterSnapshot
  /** Milliseconds since the epoch, default 0; serials come from it. */
  readonly nowMs?: number
  /** Addresses of the server, for the name servers of a zone. */
  readonly localAddresses?: readonly string[]
  /** Texts of files by path. */
  readonly files?: { readonly [path: string]: string }
}

/** Ports over a world that does not change. */
export function plainPorts(world: PlainWorld = {}): Ports {
  const { snapshot = emptySnapshot, nowMs = 0, localAddresses = [], files = {} } = world
  return {
    nowMs: () => nowMs,
    random: () => 0,
    log: () => {},
    metrics: { add: () => {}, counter: () => ({ value: 0 }), set: () => {}, observe: () => {} },
    schedule: () => () => {},
    readFile: (path) => (Object.hasOwn(files, path) ? files[path] : undefined),
    fileStamp: (path) => (Object.hasOwn(files, path) ? '' : undefined),
    listDirectory: () => [],
    watchCluster(request, index) {
      for (const [kind, object] of watchedObjects(snapshot, request)) {
        const { namespace = '', name = '' } = object.metadata ?? {}
        index.apply({ kind, namespace, name, object }, nowMs)
      }
      index.markSynced()
      return { close: () => {} }
    },
    hostAddresses: () => [],
    exchange: () => Promise.resolve({ kind: 'error', error: 'no network', isTimeout: false, wasCached: false }),
    probeLoop: () => () => {},
    localAddresses: () => localAddresses,
    hostName: () => 'localhost',
    fatal: (message) => {
      throw new Error(message)
    },
  }
}

/** Objects of a snapshot that a request asks for, with the kind the index knows them by. */
export function watchedObjects(snapshot: ClusterSnapshot, request: WatchRequest): [WatchedKind, KubeObject][] {
  const sources: readonly (readonly [WatchedKind, Iterable<KubeObject>])[] = [
    ['Namespace', snapshot.namespaces],
    ['Service', snapshot.services],
    ['EndpointSlice', snapshot.endpointSlices],
    ['Pod', snapshot.pods],
    ['ServiceImport', snapshot.serviceImports],
    ['ImportedSlice', snapshot.endpointSlices],
  ]
  return sources.flatMap(([kind, objects]) =>
    [...objects].flatMap((object): [WatchedKind, KubeObject][] =>
      isWatched(request, kind, object) ? [[kind, object]] : [],
    ),
  )
}

/** Whether an object lies in the scope of a watch, as the API server would decide. */
export function isWatched(request: WatchRequest, kind: WatchedKind, object: KubeObject): boolean {
  const scope = request.kinds[kind]
  if (scope === undefined) return false
  const labels = object.metadata?.labels
  if (kind === 'ImportedSlice' && labels?.[importedServiceLabel] === undefined) return false
  const phase = (object as { readonly status?: { readonly phase?: string } }).status?.phase
  if (kind === 'Pod' && scope.fieldSelector.includes(`status.phase!=${phase}`)) return false
  return matchesSelector(parseSelector(scope.labelSelector) ?? [], labels)
}

/** Feeds one changed object into an index if a request watches it; what left its scope is gone. */
export function applyObject(
  index: ZoneIndex,
  request: WatchRequest,
  kind: WatchedKind,
  change: { readonly namespace: string; readonly name: string; readonly object?: KubeObject },
  nowMs: number,
): void {
  if (request.kinds[kind] === undefined) return
  const { namespace, name, object } = change
  const isThere = object !== undefined && isWatched(request, kind, object)
  index.apply(isThere ? { kind, namespace, name, object } : { kind, namespace, name }, nowMs)
}
