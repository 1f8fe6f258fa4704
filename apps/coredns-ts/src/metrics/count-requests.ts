// Counts questions and replies of a listener, as the prometheus plugin does (CoreDNS plugin/metrics/vars Report).

import {
  type HotArrival,
  type HotGroup,
  monitoredTypes,
  type Query,
  rcodeName,
  type ServerFacts,
  type Transport,
  typeName,
} from '@kubewire/dns-core'
import { addObservation, type MetricSlot, type MetricStore } from './metric-store.ts'

/** One finished question. */
export interface FinishedRequest {
  readonly query: Query
  readonly facts: ServerFacts
  readonly rcode: number
  readonly plugin: string
  readonly replyBytes: number
  readonly seconds: number
}

/** How a question came, and where the series of ready answers for this way are kept. */
export interface Way extends HotArrival {
  readonly transport: Transport
  readonly index: 0 | 1 | 2 | 3
}

/** Counts questions; series are looked up once and kept. */
export interface CountRequest {
  finished(request: FinishedRequest): void
  /** A question that a ready answer was found for. */
  hot(
    group: HotGroup,
    isDnssecOk: boolean,
    way: Way,
    requestBytes: number,
    replyBytes: number,
    durationMs: number,
  ): void
}

/** The way of a transport over a family. */
export function wayOf(transport: Transport, family: 4 | 6): Way {
  return ways[transport === 'udp' ? (family === 4 ? 0 : 1) : family === 4 ? 2 : 3] as Way
}

const ways: readonly Way[] = [
  { transport: 'udp', isDatagram: true, family: 4, index: 0 },
  { transport: 'udp', isDatagram: true, family: 6, index: 1 },
  { transport: 'tcp', isDatagram: false, family: 4, index: 2 },
  { transport: 'tcp', isDatagram: false, family: 6, index: 3 },
]

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
    addObservation(slotOf(name, labels), value)
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
    // COMPAT: what was dropped counts as an answer of no size.
    observe('coredns_dns_response_size_bytes', [server, zone, view, protocol], replyBytes)
    slotOf('coredns_dns_responses_total', [server, zone, view, rcodeName(rcode), plugin]).value++
  }
  const hot: CountRequest['hot'] = (group, isDnssecOk, way, requestBytes, replyBytes, durationMs) => {
    if (!group.facts.isMeasured) return
    group.counters ??= []
    const kept = group.counters as HotSlots[]
    const slots = kept[way.index] ?? hotSlots(group, way, slotOf)
    kept[way.index] = slots
    slots.requests.value++
    if (isDnssecOk) slots.dnssecOk.value++
    slots.responses.value++
    addObservation(slots.durations, durationMs / 1000)
    addObservation(slots.requestSizes, requestBytes)
    addObservation(slots.responseSizes, replyBytes)
  }
  return { finished, hot }
}

/** The series of ready answers of one kind that came one way. */
interface HotSlots {
  readonly requests: MetricSlot
  readonly dnssecOk: MetricSlot
  readonly durations: MetricSlot
  readonly requestSizes: MetricSlot
  readonly responseSizes: MetricSlot
  readonly responses: MetricSlot
}

function hotSlots(
  { facts, type, rcode, plugin }: HotGroup,
  { transport, family }: Way,
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
    responses: slotOf('coredns_dns_responses_total', [server, zone, view, rcodeName(rcode), plugin]),
  }
}

function monitoredName(type: number): string {
  const name = typeName(type)
  return monitoredTypes.has(name) ? name : 'other'
}
