// The port behind which datagrams come and go. `dgram-backend.ts` and `batched-backend.ts` stand behind it.

import type { PeerAddress } from '@kubewire/dns-core'

/** Reads and writes datagrams: one at a time (`dgram`) or many at once (`batched`). */
export interface UdpBackend {
  readonly name: 'dgram' | 'batched'
  open(options: DatagramOptions, receiver: DatagramReceiver): Promise<DatagramSocket>
}

/** Where to listen. */
export interface DatagramOptions extends PeerAddress {
  readonly family: 4 | 6
  /** Other sockets have the same port on other addresses, one of them the wildcard. */
  readonly isShared: boolean
  /** Other processes have a socket on the same address and port, and the kernel spreads datagrams over them. */
  readonly isSpread: boolean
}

/** What is done with each datagram. */
export interface DatagramReceiver {
  /**
   * Writes the answer into `out` if it lies ready; its length, or 0. The message is the first `length` bytes; it is
   * `isFollowing` when it came together with the one before. Neither buffer is kept.
   */
  answerNow(message: Buffer, length: number, out: Buffer, isFollowing: boolean): number
  /** Answers in the long way; `reply` is called at once, later, or never. The message is the receiver's own. */
  answer(message: Buffer, client: PeerAddress, reply: (bytes: Uint8Array) => void): void
}

/** An open socket. */
export interface DatagramSocket {
  close(): Promise<void>
}
