import type { KubeObject } from './meta.ts'

/** networking.k8s.io/v1 IngressClass. */
export interface IngressClass extends KubeObject {
  readonly spec?: {
    readonly controller?: string
    readonly parameters?: {
      readonly apiGroup?: string
      readonly kind?: string
      readonly name?: string
      readonly scope?: string
    }
  }
}
