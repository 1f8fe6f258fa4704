import type { IntOrString } from '../int-or-string.ts'
import type { KubeObject } from './meta.ts'

/** Transport protocol of a port; absent means TCP. */
export type Protocol = 'TCP' | 'UDP' | 'SCTP'

/** core/v1 Service, the fields that DNS, proxy and ingress read. */
export interface Service extends KubeObject {
  readonly spec?: ServiceSpec
  readonly status?: { readonly loadBalancer?: LoadBalancerStatus }
}

/** core/v1 ServiceSpec. */
export interface ServiceSpec {
  readonly type?: string
  readonly clusterIP?: string
  readonly clusterIPs?: readonly string[]
  readonly ipFamilies?: readonly string[]
  readonly ipFamilyPolicy?: string
  readonly externalIPs?: readonly string[]
  readonly externalName?: string
  readonly ports?: readonly ServicePort[]
  readonly selector?: { readonly [key: string]: string }
  readonly sessionAffinity?: string
  readonly sessionAffinityConfig?: { readonly clientIP?: { readonly timeoutSeconds?: number } }
  readonly externalTrafficPolicy?: string
  readonly internalTrafficPolicy?: string
  readonly trafficDistribution?: string
  readonly healthCheckNodePort?: number
  readonly loadBalancerClass?: string
  readonly loadBalancerIP?: string
  readonly loadBalancerSourceRanges?: readonly string[]
  readonly publishNotReadyAddresses?: boolean
  readonly allocateLoadBalancerNodePorts?: boolean
}

/** core/v1 ServicePort. */
export interface ServicePort {
  readonly name?: string
  readonly port: number
  readonly protocol?: string
  readonly targetPort?: IntOrString
  readonly nodePort?: number
  readonly appProtocol?: string
}

/** core/v1 LoadBalancerStatus. */
export interface LoadBalancerStatus {
  readonly ingress?: readonly LoadBalancerIngress[]
}

/** One address of a load balancer. `ipMode` absent means `VIP` (KEP-1860). */
export interface LoadBalancerIngress {
  readonly ip?: string
  readonly hostname?: string
  readonly ipMode?: string
}
