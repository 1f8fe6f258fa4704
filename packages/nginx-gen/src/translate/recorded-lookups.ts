// A snapshot that notes which objects were asked for, so that a result can be kept for as long as the same questions
// have the same answers. A result that went through a whole collection is never kept.

import type { ClusterSnapshot, KubeObject, ObjectCollection } from '@kubewire/kube-model'

/** One question and its answer; `undefined` as the answer to having looked at everything. */
export interface Lookup {
  readonly kind: keyof ClusterSnapshot
  readonly name: string
  readonly namespace: string | undefined
  readonly found: KubeObject | undefined
  readonly isWhole: boolean
}

/** A snapshot that is listened to. */
export interface LookupRecorder {
  readonly snapshot: ClusterSnapshot
  /** What was asked for since the last call. */
  take(): readonly Lookup[]
}

const nothing: readonly Lookup[] = []

/** Listens to a snapshot. */
export function recordLookups(snapshot: ClusterSnapshot): LookupRecorder {
  let noted: Lookup[] = []
  const heard = <T extends KubeObject>(kind: keyof ClusterSnapshot, all: ObjectCollection<T>): ObjectCollection<T> => ({
    size: all.size,
    get: (name, namespace) => {
      const found = all.get(name, namespace)
      noted.push({ kind, name, namespace, found, isWhole: false })
      return found
    },
    [Symbol.iterator]: () => {
      noted.push({ kind, name: '', namespace: undefined, found: undefined, isWhole: true })
      return all[Symbol.iterator]()
    },
  })
  const kinds = Object.keys(snapshot) as (keyof ClusterSnapshot)[]
  const entries = kinds.map((kind) => [kind, heard(kind, snapshot[kind] as ObjectCollection<KubeObject>)] as const)
  return {
    snapshot: Object.fromEntries(entries) as unknown as ClusterSnapshot,
    take: () => {
      if (noted.length === 0) return nothing
      const taken = noted
      noted = []
      return taken
    },
  }
}

/** Whether every question would have the same answer now: the same object, not an equal one. */
export function lookupsHold(lookups: readonly Lookup[], snapshot: ClusterSnapshot): boolean {
  return lookups.every(
    ({ kind, name, namespace, found, isWhole }) => !isWhole && snapshot[kind].get(name, namespace) === found,
  )
}
