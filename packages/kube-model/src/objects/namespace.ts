import type { KubeObject } from './meta.ts'

/** core/v1 Namespace. */
export interface Namespace extends KubeObject {
  readonly status?: { readonly phase?: string }
}
