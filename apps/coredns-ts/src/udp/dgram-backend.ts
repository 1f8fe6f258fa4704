// Plain `dgram` sockets: one system call for each datagram in and one for each out. Always there.

import { bindDatagramSocket, receiveBufferBytes } from './datagram-socket.ts'
import type { UdpBackend } from './udp-backend.ts'

/** The back end that needs nothing but Node.js. */
export const dgramBackend: UdpBackend = {
  name: 'dgram',
  open({ address, port, family, isShared, isSpread }, receiver) {
    const options = {
      reuseAddr: isShared,
      recvBufferSize: receiveBufferBytes,
      ...(isSpread ? { reusePort: true } : {}),
    }
    return bindDatagramSocket(family, options, { port, address }, receiver, (message, remote, socket) =>
      socket.answerOne(message, remote),
    )
  },
}
