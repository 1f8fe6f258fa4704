// Bytes → one question, or what to do with bytes that are none. Checks and codes are the original's (miekg/dns
// DefaultMsgAcceptFunc and CoreDNS core/dnsserver); no input throws.

import { type PeerAddress, type Query, questionBytes, type Transport } from '../query.ts'
import { opcode, rcode, rrType } from '../record-types.ts'
import { decodeMessage, type Message } from './decode-message.ts'
import { readName, readUint16 } from './reader.ts'
import { writeRecord } from './write-record.ts'
import { encodeHeaderOnly } from './writer.ts'

/** What came in: a question; or bytes to send back at once; or nothing to say. */
export type DecodedQuery =
  | { readonly kind: 'query'; readonly query: Query }
  | { readonly kind: 'refuse'; readonly rcode: number; readonly bytes: Uint8Array }
  | { readonly kind: 'ignore' }

/** Facts of the transport that the bytes do not hold. */
export interface Arrival {
  readonly transport: Transport
  readonly client: PeerAddress
  readonly local: PeerAddress
}

const ignore: DecodedQuery = { kind: 'ignore' }

/** Decodes what arrived; a plain question without records takes a short path. */
export function decodeQuery(bytes: Uint8Array, arrival: Arrival): DecodedQuery {
  if (bytes.length < 12) return ignore
  const flags = readUint16(bytes, 2)
  if (flags & 0x8000) return ignore
  const code = (flags >> 11) & 15
  if (code !== opcode.QUERY && code !== opcode.NOTIFY) return refuse(bytes, rcode.NOTIMP)
  const [answers, authorities, additionals] = [readUint16(bytes, 6), readUint16(bytes, 8), readUint16(bytes, 10)]
  if (readUint16(bytes, 4) !== 1 || answers > 1 || authorities > 1 || additionals > 2) {
    return refuse(bytes, rcode.FORMERR)
  }
  // COMPAT: a header that promises a question with nothing behind it is a server failure (miekg/dns Unpack).
  if (bytes.length === 12) return refuse(bytes, rcode.SERVFAIL)
  if (answers + authorities + additionals > 0) return decodeLong(bytes, flags, arrival)
  const read = readName(bytes, 12)
  if (!read) return refuse(bytes, rcode.FORMERR)
  // COMPAT: a question may end behind its name or its type; what is missing is 0 (miekg/dns unpackQuestion).
  const length = bytes.length - read.end
  if (length === 1 || length === 3) return refuse(bytes, rcode.FORMERR)
  const type = length === 0 ? 0 : readUint16(bytes, read.end)
  const recordClass = length <= 2 ? 0 : readUint16(bytes, read.end + 2)
  const question = { name: read.name, type, class: recordClass }
  return { kind: 'query', query: queryFrom(bytes, flags, arrival, question, read.end + 4) }
}

function decodeLong(bytes: Uint8Array, flags: number, arrival: Arrival): DecodedQuery {
  const message = decodeMessage(bytes)
  const question = message?.questions[0]
  if (!message || !question) return refuseQuestion(bytes)
  const query = queryFrom(
    bytes,
    flags,
    arrival,
    question,
    questionBytes({ ...message, ...question }) + recordBytes(message),
  )
  const soa = message.authority[0]?.data
  const ixfr = question.type === rrType.IXFR && soa?.kind === 'soa' ? { ixfrSerial: soa.serial } : {}
  return { kind: 'query', query: { ...query, ...ixfr, ...(message.edns === undefined ? {} : { edns: message.edns }) } }
}

// One literal, so that all questions have one shape.
function queryFrom(
  bytes: Uint8Array,
  flags: number,
  arrival: Arrival,
  question: Message['questions'][number],
  sizeBytes: number,
): Query {
  const code = (flags >> 11) & 15
  return {
    id: readUint16(bytes, 0),
    opcode: code,
    // COMPAT: a NOTIFY is answered like a query, with RD cleared (miekg/dns SetReply).
    recursionDesired: code === opcode.QUERY && (flags & 0x100) !== 0,
    checkingDisabled: code === opcode.QUERY && (flags & 0x10) !== 0,
    authenticData: (flags & 0x20) !== 0,
    name: question.name,
    type: question.type,
    class: question.class,
    transport: arrival.transport,
    client: arrival.client,
    local: arrival.local,
    sizeBytes,
  }
}

/** Bytes of the records beside the OPT record, names in full. */
function recordBytes({ answer, authority, additional }: Message): number {
  const records = [...answer, ...authority, ...additional]
  if (records.length === 0) return 0
  const target = { bytes: new Uint8Array(65_535), limit: 65_535, offsets: undefined }
  return records.reduce((sum, record) => sum + writeRecord(target, 0, record), 0)
}

/** COMPAT: a question that could be read comes back where what follows it could not (miekg/dns server.go). */
function refuseQuestion(bytes: Uint8Array): DecodedQuery {
  const header = encodeHeaderOnly(bytes, rcode.FORMERR)
  const end = (readName(bytes, 12)?.end ?? bytes.length) + 4
  if (end > bytes.length) return { kind: 'refuse', rcode: rcode.FORMERR, bytes: header }
  const reply = Uint8Array.from([...header, ...bytes.subarray(12, end)])
  reply[5] = 1
  return { kind: 'refuse', rcode: rcode.FORMERR, bytes: reply }
}

function refuse(bytes: Uint8Array, code: number): DecodedQuery {
  return { kind: 'refuse', rcode: code, bytes: encodeHeaderOnly(bytes, code) }
}
