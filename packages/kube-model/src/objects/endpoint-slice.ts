import type { KubeObject, ObjectRef } from './meta.ts'

/** Label that names the Service a slice belongs to. */
export const serviceNameLabel = 'kubernetes.io/service-name'

/** discovery.k8s.io/v1 EndpointSlice. */
export interface EndpointSlice extends KubeObject {
  /** `IPv4`, `IPv6` or `FQDN`. */
  readonly addressType?: string
  readonly endpoints?: readonly Endpoint[]
  readonly ports?: readonly EndpointPort[]
}

/** One endpoint of a slice; all its addresses are fungible. */
export interface Endpoint {
  readonly addresses?: readonly string[]
  readonly conditions?: EndpointConditions
  readonly hostname?: string
  readonly nodeName?: string
  readonly zone?: string
  readonly hints?: EndpointHints
  readonly targetRef?: Partial<ObjectRef> & { readonly uid?: string }
  readonly deprecatedTopology?: { readonly [key: string]: string }
}

/** Conditions of an endpoint; what an absent one means differs by reader, so it stays absent here. */
export interface EndpointConditions {
  readonly ready?: boolean
  readonly serving?: boolean
  readonly terminating?: boolean
}

/** Topology hints (KEP-2433 for zones, KEP-3015 for nodes). */
export interface EndpointHints {
  readonly forZones?: readonly { readonly name: string }[]
  readonly forNodes?: readonly { readonly name: string }[]
}

/** A port of a slice. `name` absent means the empty name; `port` absent means all ports. */
export interface EndpointPort {
  readonly name?: string
  readonly port?: number
  readonly protocol?: string
  readonly appProtocol?: string
}
