// The short way of a hot question: no values in between, only bytes, and counters that were looked up before.

import type { Answering } from './answer-bytes.ts'
import type { Way } from './count-requests.ts'

/** Writes the ready answer to a message into `out`; its length, or 0 when there is none or it has no room. */
export function answerHot(
  answering: Answering,
  bytes: Uint8Array,
  requestBytes: number,
  way: Way,
  out: Uint8Array,
): number {
  const startMs = performance.now()
  const { hot, count } = answering
  const replyBytes = hot.answer(bytes, requestBytes, way, out)
  if (replyBytes > 0)
    count.hot(hot.answered, hot.isDnssecOk, way, requestBytes, replyBytes, performance.now() - startMs)
  return replyBytes
}
