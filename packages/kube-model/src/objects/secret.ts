import type { KubeObject } from './meta.ts'

/** core/v1 Secret; values of `data` are base64. Never print its values. */
export interface Secret extends KubeObject {
  readonly type?: string
  readonly data?: { readonly [key: string]: string }
  readonly stringData?: { readonly [key: string]: string }
}
