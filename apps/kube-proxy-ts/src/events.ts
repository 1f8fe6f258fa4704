// Events on API objects: best effort, never in the way.

import type { Log } from '@kubewire/daemon-kit'
import type { Cluster } from '@kubewire/informer'

/** One event. */
export interface ProxyEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly action: string
  readonly note: string
  readonly regarding: { readonly kind: string; readonly namespace?: string; readonly name: string }
}

/** Writes an event; a failure is logged and forgotten. The end of the attempt is of interest to who is about to end. */
export function recordEvent(
  cluster: Cluster,
  nodeName: string,
  event: ProxyEvent,
  nowMs: number,
  log: Log,
): Promise<void> {
  const namespace = event.regarding.namespace ?? 'default'
  const body = {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { namespace, generateName: `${event.regarding.name}.` },
    eventTime: `${new Date(nowMs).toISOString().replace('Z', '')}000Z`,
    reportingController: 'kube-proxy',
    reportingInstance: nodeName,
    type: event.type,
    reason: event.reason,
    action: event.action,
    note: event.note.slice(0, 1024),
    regarding: { apiVersion: 'v1', uid: event.regarding.name, ...event.regarding },
  }
  const path = `/apis/events.k8s.io/v1/namespaces/${namespace}/events`
  const written = cluster.request({ method: 'POST', path, body, timeoutMs: 5000 })
  return written.then(doNothing, (error: unknown) => {
    log.debug('could not write an event', {
      reason: event.reason,
      err: error instanceof Error ? error.message : String(error),
    })
  })
}

function doNothing(): void {}
