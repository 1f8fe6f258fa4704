// What a simulation answers: the way of the request through the blocks, and what became of it.

import type { SourceNode } from './source-tree.ts'

/** One step on the way. */
export interface TraceStep {
  readonly phase: 'listen' | 'server' | 'rewrite' | 'location' | 'access' | 'content' | 'error-page'
  readonly node: SourceNode | undefined
  readonly what: string
  readonly why?: string
}

/** What became of the request. */
export type RequestOutcome =
  /** No listener on that port. */
  | { readonly kind: 'refused' }
  /** nginx answers itself. */
  | { readonly kind: 'answer'; readonly status: number; readonly location?: string; readonly body?: string }
  /** The request goes to a backend. */
  | {
      readonly kind: 'proxy'
      /** `proxy_pass`, `grpc_pass`, `fastcgi_pass`. */
      readonly by: string
      /** Target with variables filled in, as far as they are known. */
      readonly target: string
      /** Value of `$proxy_upstream_name`, or the name in the target. */
      readonly upstream: string
      /** Method and request target that the backend gets. */
      readonly method: string
      readonly path: string
      /** Request headers that the configuration sets, lower-case names; empty values are not sent. */
      readonly headers: { readonly [name: string]: string }
    }
  /** Something else answers: files, Lua, the status page. */
  | {
      readonly kind: 'other'
      readonly by: string
      /** What `try_files` falls back to when it finds no file: a named location, a URI or a code behind `=`. */
      readonly otherwise?: string
    }

/** Result of `simulateRequest`. */
export interface Trace {
  readonly steps: readonly TraceStep[]
  readonly server: SourceNode | undefined
  /** The location that answered, innermost last. */
  readonly location: readonly SourceNode[]
  readonly outcome: RequestOutcome
  /** Response headers that the configuration adds, lower-case names. */
  readonly responseHeaders: { readonly [name: string]: string }
  /** Values of variables set on the way. */
  readonly variables: { readonly [name: string]: string }
  /** Variables that were read and whose value only a running nginx knows. */
  readonly unknownVariables: readonly string[]
}
