// What a plugin says about a question. A union instead of CoreDNS's pair of code and error, in which four codes
// secretly mean that nobody has written a reply yet (CoreDNS plugin/plugin.go).

import type { Reply } from './reply.ts'

/**
 * `reply`: this is the answer. `next`: not mine, ask the next plugin. `fail`: no reply was made; the server sends an
 * empty one with this code, `unreached` are the servers elsewhere that were to answer it. `drop`: nothing is sent.
 * `stream`: a transfer of several messages.
 */
export type Outcome =
  | { readonly kind: 'reply'; readonly reply: Reply }
  | { readonly kind: 'next' }
  | ({
      readonly kind: 'fail'
      readonly rcode: number
      readonly error?: string
      readonly unreached?: readonly string[]
    } & Pick<Reply, 'recursionDesired' | 'udpSize' | 'repeatedOptions'>)
  | { readonly kind: 'drop' }
  | { readonly kind: 'stream'; readonly replies: readonly Reply[] }

/** A value now, or later where a plugin has to wait for the network. */
export type Eventually<T> = T | Promise<T>

/** Not this plugin's question. */
export const next: Outcome = { kind: 'next' }

/** No reply at all. */
export const drop: Outcome = { kind: 'drop' }

/** This reply. */
export function replied(reply: Reply): Outcome {
  return { kind: 'reply', reply }
}

/** No reply was made; `error` is for the log. */
export function failed(rcode: number, error?: string): Outcome {
  return error === undefined ? { kind: 'fail', rcode } : { kind: 'fail', rcode, error }
}

/** Goes on with a value, at once when it is there, so that chains without waiting plugins stay synchronous. */
export function whenReady<T, R>(value: Eventually<T>, then: (value: T) => Eventually<R>): Eventually<R> {
  return value instanceof Promise ? value.then(then) : then(value)
}

/** Edits the reply of an outcome; every other outcome passes unchanged. */
export function editReply(outcome: Eventually<Outcome>, edit: (reply: Reply) => Reply): Eventually<Outcome> {
  return whenReady(outcome, (value) => (value.kind === 'reply' ? replied(edit(value.reply)) : value))
}
