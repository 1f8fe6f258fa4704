// What the page gets of the input: objects as they were read, with what nobody should hand on taken out.

import type { KubeObject, Position, Problem } from '@kubewire/kube-model'
import type { Corefile } from '../input/cluster-dns.ts'
import type { translateInput } from '../input/ingress-input.ts'

/** The input as JSON. */
export interface ClusterDocument {
  /** What was read, in the words of the command line: `examples/shop`. */
  readonly source: string
  /** Whether a cluster was asked: its objects need no assumptions. */
  readonly isCluster: boolean
  /** Counts up whenever the input changed. */
  readonly generation: number
  /** Objects of kinds that generators read. */
  readonly objects: readonly KubeObject[]
  /** The others; only lint rules look at them. */
  readonly others: readonly KubeObject[]
  /** Problems of reading. */
  readonly problems: readonly Problem[]
  readonly positions: readonly (readonly [ref: string, position: Position])[]
  /** `YYYY-MM-DD`, for findings that are set aside until a day. */
  readonly today: string
  readonly flags: DocumentFlags
  /** Why the input could not be read at all; everything else is then that of the last time it could, or empty. */
  readonly failure?: string
}

/** What the command line decided about the daemons. */
export interface DocumentFlags {
  readonly ingress: Parameters<typeof translateInput>[1]
  readonly 'cluster-cidr': readonly string[]
  readonly 'masquerade-all': boolean
  /** The Corefile of `--corefile`. */
  readonly corefile?: Corefile
}
