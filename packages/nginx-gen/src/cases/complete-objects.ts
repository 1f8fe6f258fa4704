// What an API server would fill in: uids, creation times in list order, versions of the API. Validation is left out:
// hostile cases hold what a server would refuse.

import type { KubeObject } from '@kubewire/kube-model'

const firstMs = Date.parse('2026-01-01T00:00:00Z')

/**
 * Completes objects; each call goes on one second after the other.
 *
 * @param begin - how many there were before
 */
export function createObjectCompleter(begin = 0): (object: KubeObject) => KubeObject {
  let count = begin
  return (object) => {
    count++
    const metadata = object.metadata ?? {}
    return {
      ...object,
      metadata: {
        ...metadata,
        uid: metadata.uid ?? `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`,
        creationTimestamp:
          metadata.creationTimestamp ?? new Date(firstMs + count * 1000).toISOString().replace('.000', ''),
      },
    }
  }
}
