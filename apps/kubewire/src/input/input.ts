// What a command is asked about: objects, with what was found wrong or assumed, and where each stands.

import type { ClusterSnapshot, KubeObject, ObjectRef, Position, Problem } from '@kubewire/kube-model'

/** What was read; the snapshot holds defaults and assumptions, the objects do not. */
export interface Input {
  readonly objects: readonly KubeObject[]
  readonly snapshot: ClusterSnapshot
  readonly problems: readonly Problem[]
  /** Where each object stands, by `printRef`; empty for a cluster. */
  readonly positions: ReadonlyMap<string, Position>
  /** Where a field of an object stands, as `printRef` and findings spell them; absent for a cluster. */
  readonly positionOf?: (ref: string, path: string) => Position | undefined
  /** With `-n` or `-l`: what was read in whole, and whether an object is among those that were asked for. */
  readonly selected?: { readonly whole: Input; readonly holds: (ref: ObjectRef) => boolean }
}
