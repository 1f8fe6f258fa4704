import type { KubeObject } from './meta.ts'

/** core/v1 Pod, the fields that name resolution and readiness need. */
export interface Pod extends KubeObject {
  readonly spec?: {
    readonly nodeName?: string
    readonly hostname?: string
    readonly subdomain?: string
    readonly hostNetwork?: boolean
    /** `ClusterFirst` where nothing stands; with `hostNetwork` that means `Default`. */
    readonly dnsPolicy?: string
    readonly dnsConfig?: PodDnsConfig
    readonly containers?: readonly PodContainer[]
    readonly readinessGates?: readonly { readonly conditionType?: string }[]
  }
  readonly status?: {
    readonly phase?: string
    readonly podIP?: string
    readonly podIPs?: readonly { readonly ip?: string }[]
    readonly hostIP?: string
    readonly conditions?: readonly { readonly type?: string; readonly status?: string }[]
  }
}

/** What a Pod adds to its resolv.conf. */
export interface PodDnsConfig {
  readonly nameservers?: readonly string[]
  readonly searches?: readonly string[]
  readonly options?: readonly { readonly name?: string; readonly value?: string }[]
}

/** A container of a Pod; its named ports are what a Service's `targetPort` may name. */
export interface PodContainer {
  readonly name?: string
  readonly ports?: readonly { readonly name?: string; readonly containerPort?: number; readonly protocol?: string }[]
  readonly env?: readonly { readonly name?: string; readonly value?: string }[]
}
