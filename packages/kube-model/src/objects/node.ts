import type { KubeObject } from './meta.ts'

/** Label that carries a node's zone. */
export const zoneLabel = 'topology.kubernetes.io/zone'

/** core/v1 Node. */
export interface Node extends KubeObject {
  readonly spec?: {
    readonly podCIDR?: string
    readonly podCIDRs?: readonly string[]
    readonly providerID?: string
    readonly taints?: readonly { readonly key?: string; readonly value?: string; readonly effect?: string }[]
  }
  readonly status?: {
    /** `type` is `InternalIP`, `ExternalIP`, `Hostname`, … */
    readonly addresses?: readonly { readonly type: string; readonly address: string }[]
    readonly conditions?: readonly { readonly type?: string; readonly status?: string }[]
  }
}
