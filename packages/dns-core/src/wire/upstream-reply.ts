// What an upstream sent, as a reply of ours: flags, records and OPT record are passed on as they are.

import { emptyReply, type Reply } from '../reply.ts'
import type { Message } from './decode-message.ts'

/** The reply that a decoded message is; its ID and question are left to the caller. */
export function upstreamReply({ flags, answer, authority, additional, edns }: Message): Reply {
  const opt =
    edns === undefined ? {} : { ednsOptions: edns.options, saysDnssecOk: edns.dnssecOk, ednsSize: edns.udpSize }
  return {
    ...emptyReply,
    rcode: (flags & 15) | ((edns?.extendedRcode ?? 0) << 4),
    authoritative: (flags & 0x400) !== 0,
    truncated: (flags & 0x200) !== 0,
    recursionAvailable: (flags & 0x80) !== 0,
    authenticData: (flags & 0x20) !== 0,
    answer,
    authority,
    additional,
    ...opt,
  }
}
