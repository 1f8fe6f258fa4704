// A reply as a readonly value; plugins that edit one make a new value.

import type { EdnsOption } from './query.ts'
import type { DnsRecord } from './record.ts'
import { rcode } from './record-types.ts'

/** One reply. ID, question, RD and CD come from the query it answers, when it is written. */
export interface Reply {
  readonly rcode: number
  readonly authoritative: boolean
  readonly truncated: boolean
  readonly recursionAvailable: boolean
  readonly authenticData: boolean
  /** Overrides RD of the query; the `header` plugin sets it. */
  readonly recursionDesired?: boolean
  /** False for replies without a question, which some upstreams send. */
  readonly hasQuestion?: boolean
  readonly answer: readonly DnsRecord[]
  readonly authority: readonly DnsRecord[]
  /** Without the OPT record. */
  readonly additional: readonly DnsRecord[]
  /** Options of the reply's own OPT record, from a plugin or an upstream; askers without EDNS get it, too. */
  readonly ednsOptions?: readonly EdnsOption[]
  /** Whether the reply's own OPT record says DO, whatever the asker said. COMPAT: those of plugins do. */
  readonly saysDnssecOk?: boolean
  /** What the reply's own OPT record advertises to askers without EDNS. */
  readonly ednsSize?: number
  /** Options of the question that come back where the reply has no OPT record of its own; `rewrite` sets them. */
  readonly repeatedOptions?: readonly EdnsOption[]
  /** A lower size to advertise and to keep than the query's; the `bufsize` plugin sets it. */
  readonly udpSize?: number
}

/** An empty reply: NOERROR, no flags, no records. */
export const emptyReply: Reply = {
  rcode: rcode.NOERROR,
  authoritative: false,
  truncated: false,
  recursionAvailable: false,
  authenticData: false,
  answer: [],
  authority: [],
  additional: [],
}

/** The empty reply that the server sends where no plugin made one. */
export function failureReply(
  failure: { readonly rcode: number } & Pick<Reply, 'recursionDesired' | 'udpSize' | 'repeatedOptions'>,
): Reply {
  const { rcode: code, recursionDesired, udpSize, repeatedOptions } = failure
  return {
    ...emptyReply,
    rcode: code,
    ...(recursionDesired === undefined ? {} : { recursionDesired }),
    ...(udpSize === undefined ? {} : { udpSize }),
    ...(repeatedOptions === undefined ? {} : { repeatedOptions }),
  }
}

/** An authoritative NOERROR reply with these records. */
export function authoritativeReply(
  answer: readonly DnsRecord[],
  additional: readonly DnsRecord[] = [],
  authority: readonly DnsRecord[] = [],
): Reply {
  return { ...emptyReply, authoritative: true, answer, authority, additional }
}

/** A copy of the reply with every record passed through `edit`. */
export function mapRecords(reply: Reply, edit: (record: DnsRecord) => DnsRecord): Reply {
  return {
    ...reply,
    answer: reply.answer.map(edit),
    authority: reply.authority.map(edit),
    additional: reply.additional.map(edit),
  }
}

/** Extended DNS error (RFC 8914) in an OPT record of the reply's own. */
export function extendedError(infoCode: number, text = ''): Pick<Reply, 'ednsOptions' | 'saysDnssecOk'> {
  const data = new Uint8Array(2 + text.length)
  data[0] = infoCode >> 8
  data[1] = infoCode & 0xff
  for (let i = 0; i < text.length; i++) data[2 + i] = text.charCodeAt(i) & 0xff
  return { ednsOptions: [{ code: 15, data }], saysDnssecOk: true }
}
