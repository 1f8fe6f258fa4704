// The short way of a hot question: no values in between, only bytes, and counters that were looked up before.

import type { HotMatch, Transport } from '@kubewire/dns-core'
import type { Answering } from './answer-bytes.ts'

/** Writes the ready answer to a message into `out`; its length, or 0 when there is none or it has no room. */
export function answerHot(
  answering: Answering,
  bytes: Uint8Array,
  requestBytes: number,
  out: Uint8Array,
  transport: Transport,
  family: 4 | 6,
): number {
  const startMs = performance.now()
  const match = answering.hot.find(bytes, requestBytes)
  if (match === undefined) return 0
  const replyBytes = answering.hot.write(bytes, match, limitOf(match, transport), out)
  if (replyBytes > 0) answering.count.hot(match, { transport, family, requestBytes, replyBytes, startMs })
  return replyBytes
}

function limitOf(match: HotMatch, transport: Transport): number {
  return transport === 'udp' ? Math.max(512, match.udpSize) : 65_535
}
