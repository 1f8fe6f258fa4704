// What a handler answers, before it is written to a connection.

import type { ApiObject } from '../api-object.ts'
import type { JsonObject } from '../json.ts'
import type { ApiKind } from '../kinds/define-kind.ts'
import type { ObjectList } from '../verbs/list.ts'
import type { WatchSink } from '../verbs/watch.ts'

/** Response headers by lower-case name; several values of one name are a list. */
export interface AnswerHeaders {
  readonly [name: string]: string | readonly string[]
}

/** An answer of a handler. */
export type Answer =
  | {
      readonly kind: 'object'
      readonly status: number
      readonly of: ApiKind
      readonly object: ApiObject
      readonly headers?: AnswerHeaders
    }
  | { readonly kind: 'list'; readonly list: ObjectList }
  | {
      readonly kind: 'document'
      readonly status: number
      readonly document: JsonObject
      readonly headers?: AnswerHeaders
    }
  | { readonly kind: 'text'; readonly status: number; readonly text: string; readonly headers?: AnswerHeaders }
  | { readonly kind: 'empty'; readonly status: number; readonly headers?: AnswerHeaders }
  | { readonly kind: 'watch'; readonly of: ApiKind; readonly start: (sink: WatchSink) => () => void }

/** `Warning` headers for what was dropped from a body. */
export function warningHeaders(warnings: readonly string[]): AnswerHeaders {
  if (warnings.length === 0) return {}
  return { warning: warnings.map((text) => `299 - ${JSON.stringify(text)}`) }
}
