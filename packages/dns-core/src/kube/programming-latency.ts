// How long a change of endpoints took to become a name (SIG Scalability's DNS programming latency, CoreDNS
// plugin/kubernetes/object/metrics.go).

import type { KubeObject } from '@kubewire/kube-model'
import { serviceNameLabel } from '@kubewire/kube-model'
import type { ZoneIndex } from './zone-index.ts'

/** One observation of `coredns_kubernetes_dns_programming_duration_seconds`. */
export interface ProgrammingLatency {
  readonly serviceKind: 'cluster_ip' | 'headless_with_selector'
  readonly seconds: number
}

/** When the endpoints controller saw what made it write a slice, RFC 3339. */
const triggerAnnotation = 'endpoints.kubernetes.io/last-change-trigger-time'

/** The latency of a slice that was just put into the index; `undefined` without its service or a time to start from. */
export function programmingLatency(index: ZoneIndex, slice: KubeObject, nowMs: number): ProgrammingLatency | undefined {
  const { namespace = '', labels = {}, annotations = {} } = slice.metadata ?? {}
  const startMs = Date.parse(annotations[triggerAnnotation] ?? '')
  const service = index.service(namespace, labels[serviceNameLabel] ?? '')
  if (service === undefined || Number.isNaN(startMs)) return undefined
  const serviceKind = service.kind === 'headless' ? 'headless_with_selector' : 'cluster_ip'
  return { serviceKind, seconds: (nowMs - startMs) / 1000 }
}
