// What the kubernetes plugin wants to see of a cluster, as a value: the shell turns it into watches, a test or the
// command line into a filter over a snapshot.

/** Selectors of one watch, in the API's text form; empty means everything. */
export interface WatchScope {
  readonly labelSelector: string
  readonly fieldSelector: string
}

/** How to reach the API server, as the Corefile says. Empty: the service account of the pod. */
export interface ClusterAccess {
  readonly kubeconfig?: { readonly file: string; readonly context?: string }
  readonly endpoint?: string
  readonly tls?: { readonly cert: string; readonly key: string; readonly ca: string }
  readonly qps: number
  readonly burst: number
  readonly maxInflight: number
}

/** The kinds an index holds. `ImportedSlice` is an EndpointSlice of another cluster. */
export type WatchedKind = 'Service' | 'EndpointSlice' | 'Namespace' | 'Pod' | 'ServiceImport' | 'ImportedSlice'

/** Which kinds to watch and how. A kind that is absent is not watched. */
export interface WatchRequest {
  readonly access: ClusterAccess
  readonly kinds: { readonly [kind in WatchedKind]?: WatchScope }
  /** How long the start of the server waits for the first lists, in milliseconds. */
  readonly startupTimeoutMs: number
}
