import type { KubeObject } from './meta.ts'
import type { ServicePort } from './service.ts'

/** multicluster.x-k8s.io/v1alpha1 ServiceImport (KEP-1645). */
export interface ServiceImport extends KubeObject {
  readonly spec?: {
    /** `ClusterSetIP` or `Headless`. */
    readonly type?: string
    readonly ips?: readonly string[]
    readonly ports?: readonly ServicePort[]
  }
}
