// Bytes in, bytes out: what every listener does with a question, whatever its transport.

import {
  type Answer,
  type Arrival,
  decodeQuery,
  encodeHeaderOnly,
  encodeReply,
  type HotAnswers,
  type Listener,
  type Query,
  rcode,
} from '@kubewire/dns-core'
import type { CountRequest } from './metrics/count-requests.ts'

/** Answers questions for one socket; listener and ready answers change at a reload. */
export interface Answering {
  listener: Listener
  hot: HotAnswers
  readonly count: CountRequest
}

/**
 * Answers one message. `send` is called once for each message of the reply, at once when no plugin waits; `done`
 * follows when nothing more comes.
 */
export function answerBytes(
  answering: Answering,
  bytes: Uint8Array,
  arrival: Arrival,
  send: (reply: Uint8Array) => void,
  done: () => void = () => {},
): void {
  const decoded = decodeQuery(bytes, arrival)
  if (decoded.kind !== 'query') {
    if (decoded.kind === 'refuse') send(decoded.bytes)
    done()
    return
  }
  const { query } = decoded
  const startMs = performance.now()
  const finish = (answer: Answer): void => {
    const messages = encodeAnswer(query, answer, bytes)
    for (const message of messages) send(message)
    answering.hot.learn(query, answer)
    countAnswer(answering.count, query, answer, messages, (performance.now() - startMs) / 1000)
    done()
  }
  const answer = answering.listener.answer(query)
  if (!(answer instanceof Promise)) finish(answer)
  else {
    answer.then(finish, () => {
      send(encodeHeaderOnly(bytes, rcode.SERVFAIL))
      done()
    })
  }
}

function encodeAnswer(query: Query, answer: Answer, bytes: Uint8Array): readonly Uint8Array[] {
  if (answer.kind === 'none') return []
  try {
    return (answer.kind === 'reply' ? [answer.reply] : answer.replies).map((reply) => encodeReply(query, reply))
  } catch {
    // A record that cannot be written (a label that became too long) must not end the server.
    return [encodeHeaderOnly(bytes, rcode.SERVFAIL)]
  }
}

function countAnswer(
  count: CountRequest,
  query: Query,
  answer: Answer,
  messages: readonly Uint8Array[],
  seconds: number,
): void {
  // COMPAT: a failure is counted before its reply is made, but for refusals that reach no block (CoreDNS plugin/metrics).
  const isUnwritten = answer.kind === 'reply' && answer.plugin === '' && answer.facts.zone !== 'dropped'
  const replyBytes = isUnwritten ? 0 : messages.reduce((sum, message) => sum + message.length, 0)
  const code = answer.kind === 'reply' ? answer.reply.rcode : 0
  const plugin = answer.kind === 'reply' ? answer.plugin : ''
  count.finished({ query, facts: answer.facts, rcode: code, plugin, replyBytes, seconds })
}
