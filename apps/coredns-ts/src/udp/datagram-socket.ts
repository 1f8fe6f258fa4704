// The `dgram` socket that both UDP back ends stand on, and how it answers a single datagram.

import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { PeerAddress } from '@kubewire/dns-core'
import { AnswerRing } from './answer-ring.ts'
import type { DatagramReceiver, DatagramSocket } from './udp-backend.ts'

/** So large that a pause of the process loses nothing; the kernel caps it (net.core.rmem_max). */
export const receiveBufferBytes: number = 4 * 1024 * 1024

/** Answers that are longer cannot be sent in a datagram (65,535 without the headers of UDP and IPv4). */
const maxDatagramBytes = 65_507

/** A bound socket with what it needs to answer. */
export interface AnsweringSocket extends DatagramSocket {
  /** Answers one datagram; the message is not used by anybody else. */
  answerOne(message: Buffer, remote: PeerAddress): void
  /** Answers in the long way. */
  answer(message: Buffer, remote: PeerAddress): void
  /** Sends at once or when the kernel has room; the bytes must stay as they are until then. */
  send(bytes: Uint8Array, remote: PeerAddress): void
}

/** Options of `createSocket` that differ between the back ends. */
interface SocketOptions {
  readonly reuseAddr?: boolean
  /** Ignored by releases of Node.js that do not know it. */
  readonly reusePort?: boolean
  readonly recvBufferSize?: number
}

/** Binds a socket and calls `onMessage` for what it receives. Rejects when it cannot be bound. */
export async function bindDatagramSocket(
  family: 4 | 6,
  options: SocketOptions,
  to: Parameters<Socket['bind']>[0],
  receiver: DatagramReceiver,
  onMessage: (message: Buffer, remote: RemoteInfo, socket: AnsweringSocket) => void,
): Promise<AnsweringSocket> {
  const socket = createSocket({
    type: family === 6 ? 'udp6' : 'udp4',
    ipv6Only: family === 6,
    ...options,
    // The default goes through the resolver and a tick for every datagram.
    lookup: (host, _options, callback) => callback(null, host, family),
  })
  const ring = new AnswerRing(socket)
  let isOpen = true
  // Sent without a callback: that would cost a third more, and nobody could do anything about a failure.
  const send: AnsweringSocket['send'] = (bytes, { port, address }) => {
    if (isOpen && bytes.length <= maxDatagramBytes) socket.send(bytes, port, address)
  }
  const answer: AnsweringSocket['answer'] = (message, remote) =>
    receiver.answer(message, remote, (reply) => send(reply, remote))
  const open: AnsweringSocket = {
    send,
    answer,
    answerOne(message, remote) {
      const length = receiver.answerNow(message, message.length, ring.next(), false)
      if (length > 0) socket.send(ring.written(length), remote.port, remote.address)
      else answer(message, remote)
    },
    close() {
      isOpen = false
      return new Promise((resolve) => socket.close(() => resolve()))
    },
  }
  socket.on('message', (message, remote) => onMessage(message, remote, open))
  // The lookup above is synchronous, and so is the event.
  const isListening = once(socket, 'listening')
  socket.bind(to)
  await isListening
  // What goes wrong from now on concerns single datagrams, which may be lost anyway.
  socket.on('error', () => {})
  return open
}
