import type { KubeObject } from './meta.ts'

/** networking.k8s.io/v1 ServiceCIDR. */
export interface ServiceCidr extends KubeObject {
  readonly spec?: { readonly cidrs?: readonly string[] }
}
