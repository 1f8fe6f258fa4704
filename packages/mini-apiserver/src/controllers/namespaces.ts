// Ends namespaces: their contents are deleted, then they are. Waits a moment first, as the original's controller does,
// so that a client can see the phase Terminating.

import { keyOfObject } from '../api-object.ts'
import type { ServerState } from '../server-state.ts'
import { deleteObject } from '../verbs/delete.ts'

/** Milliseconds between a DELETE and its effect. */
const namespaceDelayMs: number = 1000

/** Runs until the returned function is called. */
export function runNamespaceController(state: ServerState): () => void {
  const timers = new Set<() => void>()
  const later = (name: string): void => {
    const cancel = state.clock.after(namespaceDelayMs, () => {
      timers.delete(cancel)
      if (!endNamespace(state, name)) later(name)
    })
    timers.add(cancel)
  }
  const stop = state.storage.collection('namespaces').subscribe(({ key, before, after }) => {
    const began = before?.metadata.deletionTimestamp === undefined && after?.metadata.deletionTimestamp !== undefined
    if (began) later(key)
  })
  return () => {
    stop()
    for (const cancel of timers) cancel()
  }
}

/** Deletes what is in the namespace; whether the namespace is gone, too (finalizers may hold something). */
function endNamespace(state: ServerState, name: string): boolean {
  const namespace = state.storage.collection('namespaces').get(name)
  if (!namespace || namespace.metadata.deletionTimestamp === undefined) return true
  const options = {
    isDryRun: false,
    gracePeriodSeconds: 0,
    uid: undefined,
    resourceVersion: undefined,
    propagationPolicy: undefined,
  }
  let isEmpty = true
  for (const kind of state.kinds.all().filter((each) => each.isNamespaced)) {
    const collection = state.storage.collection(kind.storage)
    for (const object of collection.list().filter(({ metadata }) => metadata.namespace === name)) {
      deleteObject(state, kind, kind.fromStorage(object), options)
      if (collection.get(keyOfObject(object))) isEmpty = false
    }
  }
  if (isEmpty) state.storage.remove('namespaces', name)
  return isEmpty
}
