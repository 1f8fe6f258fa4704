// The yardstick: what a plain `dgram` socket costs when it sends every datagram back. `echo-udp-process.js PORT`.

import { createSocket } from 'node:dgram'

const socket = createSocket({
  type: 'udp4',
  recvBufferSize: 4 * 1024 * 1024,
  // The default goes through the resolver and a tick for every datagram.
  lookup: (host, _options, callback) => callback(null, host, 4),
})
socket.on('message', (message, { port, address }) => {
  // Marked as an answer, so that the one who asks counts it.
  message[2] = (message[2] ?? 0) | 0x80
  socket.send(message, port, address)
})
socket.bind(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'))
