// The two vocabularies: what a watch tells (kube-rs `watcher::Event`) and what handlers hear (client-go handlers).

import type { KubeObject, ObjectKey } from '@kubewire/kube-model'

/**
 * What a self-healing watch tells, in this order: `init`, any number of `initApply` and `delete`, `initDone`, then
 * `apply`, `delete` and `bookmark` until the next `init`. An `init` without `initDone` was given up; forget its objects.
 */
export type ResourceEvent<T> =
  | {
      readonly type: 'init'
      /** Equal versions do not prove equal objects: the server may have lost part of its history. */
      readonly isHistoryUncertain?: boolean
    }
  | { readonly type: 'initApply'; readonly object: T }
  | { readonly type: 'initDone'; readonly resourceVersion: string }
  | { readonly type: 'apply'; readonly object: T }
  | {
      readonly type: 'delete'
      readonly object: T
      /** The object is still there, but its resource's transform keeps it out; `object` has only its identity. */
      readonly isHidden?: true
    }
  | { readonly type: 'bookmark'; readonly resourceVersion: string }

/** Why an object counts as updated. */
export type UpdateCause = 'watch' | 'relist' | 'resync'

/** One change of one object, told after the store has it. */
export type InformerEvent<T extends KubeObject> =
  | { readonly type: 'added'; readonly key: ObjectKey; readonly object: T; readonly isInInitialList: boolean }
  | {
      readonly type: 'updated'
      readonly key: ObjectKey
      readonly object: T
      readonly previous: T
      readonly cause: UpdateCause
      /** The uid changed: the old object was deleted and another one has its name. */
      readonly isReplaced: boolean
    }
  | {
      readonly type: 'deleted'
      readonly key: ObjectKey
      readonly object: T
      /** Found missing by a list: `object` is the last known state, not the final one (client-go: tombstone). */
      readonly isFinalStateUnknown: boolean
    }
