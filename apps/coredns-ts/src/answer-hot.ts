// The short way of a hot question: no values in between, only bytes, and counters that were looked up before.

import type { Answering } from './answer-bytes.ts'
import type { Way } from './metrics/count-requests.ts'

/** `performance.now()` when the last answer was written. */
let lastMs = 0

/**
 * Writes the ready answer to a message into `out`; its length, or 0 when there is none or it has no room.
 *
 * @param isFollowing - this message came together with one that was just answered, so its time begins where that ended
 */
export function answerHot(
  answering: Answering,
  bytes: Uint8Array,
  requestBytes: number,
  way: Way,
  out: Uint8Array,
  isFollowing: boolean,
): number {
  const startMs = isFollowing ? lastMs : performance.now()
  const { hot, count } = answering
  const replyBytes = hot.answer(bytes, requestBytes, way, out)
  // What takes the ordinary way is measured there; the next one begins after it.
  lastMs = performance.now()
  if (replyBytes > 0) count.hot(hot.answered, hot.isDnssecOk, way, requestBytes, replyBytes, lastMs - startMs)
  return replyBytes
}
