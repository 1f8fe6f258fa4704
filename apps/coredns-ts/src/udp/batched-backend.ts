// UDP sockets that take and give many datagrams with one system call. `dgram` waits on the descriptor, so that the event
// loop stays Node's: it hands over the first datagram, the rest is drained with recvmmsg, answered, and sent with sendmmsg.

import { getSystemErrorName } from 'node:util'
import { batchSlots, createDatagramBatch, type DatagramBatch } from './datagram-batch.ts'
import { type AnsweringSocket, bindDatagramSocket, receiveBufferBytes } from './datagram-socket.ts'
import { type Libc, linux } from './libc.ts'
import { encodeSocketAddress } from './socket-address.ts'
import type { DatagramOptions, DatagramReceiver, UdpBackend } from './udp-backend.ts'

/** A back end over these functions. */
export function createBatchedBackend(libc: Libc): UdpBackend {
  const batch = createDatagramBatch(libc)
  return {
    name: 'batched',
    async open(options, receiver) {
      const fd = openDescriptor(libc, options)
      try {
        // `exclusive`: in a worker of a cluster the descriptor is this process's own, too.
        const to = { fd, exclusive: true }
        return await bindDatagramSocket(options.family, {}, to, receiver, (message, remote, socket) => {
          socket.answerOne(message, remote)
          drain(libc, batch, fd, socket, receiver)
        })
      } catch (error) {
        libc.close(fd)
        throw error
      }
    },
  }
}

/** One system call each way: up to a batch in, their answers out. What is left wakes the socket again. */
function drain(
  libc: Libc,
  batch: DatagramBatch,
  fd: number,
  socket: AnsweringSocket,
  receiver: DatagramReceiver,
): void {
  const { incoming, outgoing } = batch
  const count = libc.recvmmsg(fd, incoming.headers, batchSlots, linux.MSG_DONTWAIT, null)
  let ready = 0
  let isFollowing = false
  for (let slot = 0; slot < count; slot++) {
    const message = incoming.buffers[slot] as Buffer
    const length = batch.lengthOf(slot)
    const written = receiver.answerNow(message, length, outgoing.buffers[ready] as Buffer, isFollowing)
    if (written > 0) batch.setOutgoing(ready++, written, slot)
    // What takes longer keeps its message, and the slot is filled again.
    else socket.answer(Buffer.from(message.subarray(0, length)), batch.senderOf(slot))
    isFollowing = written > 0
  }
  if (ready > 0) sendAll(libc, batch, fd, socket, ready)
  if (count > 0) batch.reset(count)
}

/** Sends the first slots. What the kernel refuses is lost; what it has no room for now waits in the `dgram` socket. */
function sendAll(libc: Libc, batch: DatagramBatch, fd: number, socket: AnsweringSocket, count: number): void {
  let at = 0
  while (at < count) {
    const sent = libc.sendmmsg(fd, batch.headersFrom(at), count - at, linux.MSG_DONTWAIT)
    if (sent > 0) at += sent
    else if (libc.errno() !== linux.EAGAIN) at++
    else break
  }
  for (; at < count; at++) {
    const { bytes, to } = batch.outgoingAt(at)
    socket.send(Buffer.from(bytes), to)
  }
}

/** A bound descriptor. Throws the error that `dgram` would give. */
function openDescriptor(libc: Libc, options: DatagramOptions): number {
  const { address, port, family, isShared, isSpread } = options
  const check = (call: string, result: number): number => {
    if (result >= 0) return result
    const code = getSystemErrorName(-libc.errno())
    throw Object.assign(new Error(`${call} ${code} ${address}:${port}`), { code, syscall: call, address, port })
  }
  const type = linux.SOCK_DGRAM | linux.SOCK_NONBLOCK | linux.SOCK_CLOEXEC
  const fd = check('socket', libc.socket(family === 6 ? linux.AF_INET6 : linux.AF_INET, type, 0))
  const set = (level: number, name: number, value: number): number =>
    libc.setsockopt(fd, level, name, Int32Array.of(value), 4)
  try {
    if (family === 6) check('setsockopt', set(linux.IPPROTO_IPV6, linux.IPV6_V6ONLY, 1))
    if (isShared) check('setsockopt', set(linux.SOL_SOCKET, linux.SO_REUSEADDR, 1))
    if (isSpread) check('setsockopt', set(linux.SOL_SOCKET, linux.SO_REUSEPORT, 1))
    set(linux.SOL_SOCKET, linux.SO_RCVBUF, receiveBufferBytes)
    const local = encodeSocketAddress(options)
    check('bind', libc.bind(fd, local, local.length))
    return fd
  } catch (error) {
    libc.close(fd)
    throw error
  }
}
