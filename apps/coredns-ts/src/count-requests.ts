// Counts questions and replies of a listener, as the prometheus plugin does (CoreDNS plugin/metrics/vars Report).

import { monitoredTypes, type Query, rcodeName, type ServerFacts, typeName } from '@kubewire/dns-core'
import type { MetricSlot, MetricStore } from './metric-store.ts'

/** One finished question. */
export interface FinishedRequest {
  readonly query: Query
  readonly facts: ServerFacts
  readonly rcode: number
  readonly plugin: string
  readonly replyBytes: number
  readonly seconds: number
}

/** Counts one question; series are looked up once and kept. */
export type CountRequest = (request: FinishedRequest) => void

/** A counter over a store. */
export function createRequestCounter(store: MetricStore): CountRequest {
  const slots = new Map<string, MetricSlot>()
  const slotOf = (name: string, labels: readonly string[]): MetricSlot => {
    const key = `${name}\0${labels.join('\0')}`
    let slot = slots.get(key)
    if (slot === undefined) {
      slot = store.slot(name, labels)
      slots.set(key, slot)
    }
    return slot
  }
  const observe = (name: string, labels: readonly string[], value: number): void =>
    store.observeSlot(name, slotOf(name, labels), value)
  return ({ query, facts, rcode, plugin, replyBytes, seconds }) => {
    if (!facts.isMeasured) return
    const { server, zone, view } = facts
    const protocol = query.transport === 'udp' ? 'udp' : 'tcp'
    const family = query.client.address.includes(':') ? '2' : '1'
    const name = typeName(query.type)
    const type = monitoredTypes.has(name) ? name : 'other'
    slotOf('coredns_dns_requests_total', [server, zone, view, protocol, family, type]).value++
    if (query.edns?.dnssecOk) slotOf('coredns_dns_do_requests_total', [server, zone, view]).value++
    observe('coredns_dns_request_duration_seconds', [server, zone, view], seconds)
    observe('coredns_dns_request_size_bytes', [server, zone, view, protocol], query.sizeBytes)
    if (replyBytes === 0) return
    observe('coredns_dns_response_size_bytes', [server, zone, view, protocol], replyBytes)
    slotOf('coredns_dns_responses_total', [server, zone, view, rcodeName(rcode), plugin]).value++
  }
}
