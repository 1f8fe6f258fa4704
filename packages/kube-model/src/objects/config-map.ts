import type { KubeObject } from './meta.ts'

/** core/v1 ConfigMap. */
export interface ConfigMap extends KubeObject {
  readonly data?: { readonly [key: string]: string }
  readonly binaryData?: { readonly [key: string]: string }
}
