// Which tracked UDP flows must go: UDP has no end of connection, so a client that keeps sending would stay with an
// endpoint that is gone. TCP and SCTP are never touched.
// Source: kube-proxy 1.37 pkg/proxy/conntrack/cleanup.go, with the reconciliation of services without endpoints (#139629).

import { joinHostPort } from '@kubewire/kube-model'
import type { PortView } from './sections/section.ts'

/** One entry of connection tracking, addresses canonical. */
export interface TrackedFlow {
  /** Lower case. */
  readonly protocol: string
  readonly source: string
  readonly sourcePort: number
  /** Where the client sent to. */
  readonly destination: string
  readonly destinationPort: number
  /** Who answers. */
  readonly replySource: string
  readonly replySourcePort: number
}

/** A flow to delete and why. */
export interface StaleFlow<F extends TrackedFlow = TrackedFlow> {
  readonly flow: F
  /** Printed service port. */
  readonly servicePort: string
  readonly reason: 'no-serving-endpoint' | 'endpoint-gone'
}

interface FrontEnd {
  readonly servicePort: string
  readonly serving: ReadonlySet<string>
}

/**
 * Flows whose client goes to a UDP service port and whose answers come from none of its serving endpoints.
 *
 * Readiness, termination, policies and hints do not count, only the `serving` condition. A node port is known by its
 * number alone; without a serving endpoint its flows are left, because they may be somebody else's.
 */
export function staleFlows<F extends TrackedFlow>(
  flows: Iterable<F>,
  ports: readonly PortView[],
): readonly StaleFlow<F>[] {
  const byAddress = new Map<string, FrontEnd>()
  const byNodePort = new Map<number, FrontEnd>()
  for (const { facts, all } of ports) {
    if (facts.protocol !== 'UDP') continue
    const serving = new Set(all.filter((endpoint) => endpoint.isServing).map((endpoint) => endpoint.text))
    const frontEnd = { servicePort: facts.id, serving }
    for (const ip of [facts.clusterIp, ...facts.vips, ...facts.externalIps])
      byAddress.set(joinHostPort(ip.text, facts.port), frontEnd)
    if (facts.nodePort !== undefined && serving.size > 0) byNodePort.set(facts.nodePort, frontEnd)
  }
  const stale: StaleFlow<F>[] = []
  for (const flow of flows) {
    if (flow.protocol !== 'udp') continue
    const frontEnd =
      byAddress.get(joinHostPort(flow.destination, flow.destinationPort)) ?? byNodePort.get(flow.destinationPort)
    if (frontEnd === undefined || frontEnd.serving.has(joinHostPort(flow.replySource, flow.replySourcePort))) continue
    const reason = frontEnd.serving.size === 0 ? 'no-serving-endpoint' : 'endpoint-gone'
    stale.push({ flow, servicePort: frontEnd.servicePort, reason })
  }
  return stale
}
