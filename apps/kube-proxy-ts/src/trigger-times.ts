// When the changes that a sync carries out were triggered, for the network programming latency.
// Source: kube-proxy 1.36 pkg/proxy/endpointschangetracker.go.

import { type EndpointSlice, serviceNameLabel } from '@kubewire/kube-model'

const annotation = 'endpoints.kubernetes.io/last-change-trigger-time'

/** Trigger times collected since the last sync. */
export interface TriggerTimes {
  /** Takes the time of a changed slice; the deletion of a slice drops what its Service had. */
  note(slice: EndpointSlice, isDeleted: boolean): void
  /** All times, milliseconds since the epoch; empties the collection. */
  take(): readonly number[]
}

/** Times up to `startMs` are somebody else's business and ignored. */
export function createTriggerTimes(startMs: number): TriggerTimes {
  const times = new Map<string, number[]>()
  return {
    note(slice, isDeleted) {
      const key = `${slice.metadata?.namespace}/${slice.metadata?.labels?.[serviceNameLabel]}`
      if (isDeleted) {
        times.delete(key)
        return
      }
      const ms = Date.parse(slice.metadata?.annotations?.[annotation] ?? '')
      if (Number.isNaN(ms) || ms <= startMs) return
      times.set(key, [...(times.get(key) ?? []), ms])
    },
    take() {
      const all = [...times.values()].flat()
      times.clear()
      return all
    },
  }
}
