// What an API server would fill in: uids, creation times in list order, versions of the API. Validation is left out:
// hostile cases hold what a server would refuse.

import { randomUUID } from 'node:crypto'
import type { KubeObject } from '@kubewire/kube-model'

const firstMs = Date.parse('2026-01-01T00:00:00Z')

/** Completes objects; each call goes on one second after the other. */
export function createCompleter(): (object: KubeObject) => KubeObject {
  let count = 0
  return (object) => {
    count++
    const metadata = object.metadata ?? {}
    return {
      ...object,
      metadata: {
        ...metadata,
        uid: metadata.uid ?? randomUUID(),
        creationTimestamp:
          metadata.creationTimestamp ?? new Date(firstMs + count * 1000).toISOString().replace('.000', ''),
      },
    }
  }
}
