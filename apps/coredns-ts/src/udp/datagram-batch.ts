// Memory that the kernel fills with up to 64 datagrams at once and sends as many answers from: `struct mmsghdr`, `iovec`,
// addresses and bytes for both directions, laid out once. One batch serves all sockets of a process, because nothing
// stays in it after a socket was drained. It belongs to `batched-backend.ts`.

import type { PeerAddress } from '@kubewire/dns-core'
import type { Libc } from './libc.ts'
import { decodeSocketAddress, socketAddressBytes } from './socket-address.ts'

/** Datagrams of one system call. */
export const batchSlots = 64

// Offsets in `struct mmsghdr` with a `struct msghdr` in front, and in `struct iovec` (recvmmsg(2), 64-bit).
const header = { bytes: 64, name: 0, nameLength: 8, iovec: 16, iovecCount: 24, length: 56 }
const iovec = { bytes: 16, length: 8 }
const headerWords = header.bytes / 4

/** A datagram may be as large as UDP allows. Pages never touched take no memory. */
const maxDatagram = 65_536
// Slots must not begin at equal places of the processor's caches.
const slotBytes = maxDatagram + 192
const nameBytes = 32

/** One direction. */
export interface DatagramSlots {
  /** The array of headers as the kernel wants it. */
  readonly headers: Uint8Array
  /** Room for the bytes of each datagram. */
  readonly buffers: readonly Buffer[]
}

/** Both directions. */
export interface DatagramBatch {
  readonly incoming: DatagramSlots
  readonly outgoing: DatagramSlots
  /** Bytes of a datagram that came in. */
  lengthOf(slot: number): number
  /** Where a datagram came from. */
  senderOf(slot: number): PeerAddress
  /** Says what goes out in `slot`: this many of its bytes, to where the datagram in `source` came from. */
  setOutgoing(slot: number, length: number, source: number): void
  /** What goes out in a slot. */
  outgoingAt(slot: number): { readonly bytes: Buffer; readonly to: PeerAddress }
  /** The headers to send, those before `slot` left out. */
  headersFrom(slot: number): Uint8Array
  /** Makes the first `count` slots ready to be filled again. */
  reset(count: number): void
}

/** Lays out a batch. */
export function createDatagramBatch(libc: Pick<Libc, 'addressOf'>): DatagramBatch {
  const incoming = layOut(libc)
  const outgoing = layOut(libc)
  // Answers go where questions came from: their headers point to the addresses of those.
  const pointers = incoming.namePointers
  const sources = new Uint8Array(batchSlots)
  const senderOf = (slot: number): PeerAddress => decodeSocketAddress(incoming.names, slot * nameBytes)
  return {
    incoming,
    outgoing,
    lengthOf: (slot) => incoming.words[slot * headerWords + header.length / 4] ?? 0,
    senderOf,
    setOutgoing(slot, length, source) {
      const at = slot * headerWords
      outgoing.words[at] = pointers[source * 2] ?? 0
      outgoing.words[at + 1] = pointers[source * 2 + 1] ?? 0
      outgoing.words[at + 2] = incoming.words[source * headerWords + 2] ?? 0
      outgoing.lengths[(slot * iovec.bytes + iovec.length) / 4] = length
      sources[slot] = source
    },
    outgoingAt(slot) {
      const length = outgoing.lengths[(slot * iovec.bytes + iovec.length) / 4] ?? 0
      return { bytes: (outgoing.buffers[slot] as Buffer).subarray(0, length), to: senderOf(sources[slot] ?? 0) }
    },
    headersFrom: (slot) => (slot === 0 ? outgoing.headers : outgoing.headers.subarray(slot * header.bytes)),
    reset(count) {
      for (let slot = 0; slot < count; slot++) incoming.words[slot * headerWords + 2] = socketAddressBytes
    },
  }
}

interface LaidOut extends DatagramSlots {
  /** The headers, as words of 32 bits. */
  readonly words: Uint32Array
  /** The iovecs, likewise: pointer and length, two words each. */
  readonly lengths: Uint32Array
  readonly names: Uint8Array
  /** Low and high word of the pointer to each name. */
  readonly namePointers: Uint32Array
}

function layOut({ addressOf }: Pick<Libc, 'addressOf'>): LaidOut {
  const headers = new ArrayBuffer(batchSlots * header.bytes)
  const iovecs = new ArrayBuffer(batchSlots * iovec.bytes)
  const names = new ArrayBuffer(batchSlots * nameBytes)
  const memory = new ArrayBuffer(batchSlots * slotBytes)
  const [iovecsAt, namesAt, memoryAt] = [addressOf(iovecs), addressOf(names), addressOf(memory)]
  const namePointers = new BigUint64Array(batchSlots)
  const headerView = new DataView(headers)
  const iovecView = new DataView(iovecs)
  for (let slot = 0; slot < batchSlots; slot++) {
    const at = slot * header.bytes
    namePointers[slot] = namesAt + BigInt(slot * nameBytes)
    headerView.setBigUint64(at + header.name, namePointers[slot] ?? 0n, true)
    headerView.setUint32(at + header.nameLength, socketAddressBytes, true)
    headerView.setBigUint64(at + header.iovec, iovecsAt + BigInt(slot * iovec.bytes), true)
    headerView.setBigUint64(at + header.iovecCount, 1n, true)
    iovecView.setBigUint64(slot * iovec.bytes, memoryAt + BigInt(slot * slotBytes), true)
    iovecView.setBigUint64(slot * iovec.bytes + iovec.length, BigInt(maxDatagram), true)
  }
  return {
    headers: new Uint8Array(headers),
    buffers: Array.from({ length: batchSlots }, (_, slot) => Buffer.from(memory, slot * slotBytes, maxDatagram)),
    words: new Uint32Array(headers),
    lengths: new Uint32Array(iovecs),
    names: new Uint8Array(names),
    namePointers: new Uint32Array(namePointers.buffer),
  }
}
