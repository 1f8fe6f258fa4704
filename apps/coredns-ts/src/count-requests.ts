// Counts questions and replies of a listener, as the prometheus plugin does (CoreDNS plugin/metrics/vars Report).

import {
  type HotMatch,
  monitoredTypes,
  type Query,
  rcodeName,
  type ServerFacts,
  type Transport,
  typeName,
} from '@kubewire/dns-core'
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

/** One question that a ready answer was found for. */
export interface HotRequest {
  readonly transport: Transport
  readonly family: 4 | 6
  readonly requestBytes: number
  readonly replyBytes: number
  /** `performance.now()` at its start. */
  readonly startMs: number
}

/** Counts questions; series are looked up once and kept. */
export interface CountRequest {
  finished(request: FinishedRequest): void
  hot(match: HotMatch, request: HotRequest): void
}

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
  const finished: CountRequest['finished'] = ({ query, facts, rcode, plugin, replyBytes, seconds }) => {
    if (!facts.isMeasured) return
    const { server, zone, view } = facts
    const protocol = query.transport === 'udp' ? 'udp' : 'tcp'
    const family = query.client.address.includes(':') ? '2' : '1'
    const type = monitoredName(query.type)
    slotOf('coredns_dns_requests_total', [server, zone, view, protocol, family, type]).value++
    if (query.edns?.dnssecOk) slotOf('coredns_dns_do_requests_total', [server, zone, view]).value++
    observe('coredns_dns_request_duration_seconds', [server, zone, view], seconds)
    observe('coredns_dns_request_size_bytes', [server, zone, view, protocol], query.sizeBytes)
    if (replyBytes === 0) return
    observe('coredns_dns_response_size_bytes', [server, zone, view, protocol], replyBytes)
    slotOf('coredns_dns_responses_total', [server, zone, view, rcodeName(rcode), plugin]).value++
  }
  return { finished, hot: (match, request) => countHot(match, request, slotOf, store) }
}

/** The series of one ready answer, over UDP or a stream, IPv4 or IPv6. */
interface HotSlots {
  readonly requests: MetricSlot
  readonly dnssecOk: MetricSlot
  readonly durations: MetricSlot
  readonly requestSizes: MetricSlot
  readonly responseSizes: MetricSlot
  readonly responses: MetricSlot
}

function countHot(
  { answer, dnssecOk }: HotMatch,
  { transport, family, requestBytes, replyBytes, startMs }: HotRequest,
  slotOf: (name: string, labels: readonly string[]) => MetricSlot,
  store: MetricStore,
): void {
  if (!answer.facts.isMeasured) return
  const which = (transport === 'udp' ? 0 : 1) + (family === 4 ? 0 : 2)
  answer.counters ??= []
  const kept = answer.counters as (HotSlots | undefined)[]
  const slots = kept[which] ?? hotSlots(answer, transport, family, slotOf)
  kept[which] = slots
  slots.requests.value++
  if (dnssecOk) slots.dnssecOk.value++
  slots.responses.value++
  store.observeSlot('coredns_dns_request_duration_seconds', slots.durations, (performance.now() - startMs) / 1000)
  store.observeSlot('coredns_dns_request_size_bytes', slots.requestSizes, requestBytes)
  store.observeSlot('coredns_dns_response_size_bytes', slots.responseSizes, replyBytes)
}

function hotSlots(
  { facts, type, rcode }: HotMatch['answer'],
  transport: Transport,
  family: 4 | 6,
  slotOf: (name: string, labels: readonly string[]) => MetricSlot,
): HotSlots {
  const { server, zone, view } = facts
  const protocol = transport === 'udp' ? 'udp' : 'tcp'
  const labels = [server, zone, view, protocol, family === 4 ? '1' : '2', monitoredName(type)]
  return {
    requests: slotOf('coredns_dns_requests_total', labels),
    dnssecOk: slotOf('coredns_dns_do_requests_total', [server, zone, view]),
    durations: slotOf('coredns_dns_request_duration_seconds', [server, zone, view]),
    requestSizes: slotOf('coredns_dns_request_size_bytes', [server, zone, view, protocol]),
    responseSizes: slotOf('coredns_dns_response_size_bytes', [server, zone, view, protocol]),
    responses: slotOf('coredns_dns_responses_total', [server, zone, view, rcodeName(rcode), 'kubernetes']),
  }
}

function monitoredName(type: number): string {
  const name = typeName(type)
  return monitoredTypes.has(name) ? name : 'other'
}
