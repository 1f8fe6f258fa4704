// One endpoint of a service port, with the conditions that decide whether it is used.

import { type Endpoint, type Ip, joinHostPort } from '@kubewire/kube-model'

/** An address and port behind a service port. */
export interface EndpointFacts {
  /** `ip:port`, `[ip]:port` for IPv6: identity, order and hash. */
  readonly text: string
  readonly ip: Ip
  readonly port: number
  /** On this node. */
  readonly isLocal: boolean
  /** Absent conditions count as ready. */
  readonly isReady: boolean
  /** Absent conditions count as serving. */
  readonly isServing: boolean
  readonly isTerminating: boolean
  readonly zoneHints: readonly string[]
  readonly nodeHints: readonly string[]
}

const noHints: readonly string[] = []

/** The facts of an endpoint at one port, as seen from a node. */
export function endpointFacts(endpoint: Endpoint, ip: Ip, port: number, nodeName: string): EndpointFacts {
  const { conditions, hints } = endpoint
  return {
    text: joinHostPort(ip.text, port),
    ip,
    port,
    isLocal: endpoint.nodeName !== undefined && endpoint.nodeName !== '' && endpoint.nodeName === nodeName,
    isReady: conditions?.ready ?? true,
    isServing: conditions?.serving ?? true,
    isTerminating: conditions?.terminating ?? false,
    zoneHints: hints?.forZones?.map((hint) => hint.name) ?? noHints,
    nodeHints: hints?.forNodes?.map((hint) => hint.name) ?? noHints,
  }
}
