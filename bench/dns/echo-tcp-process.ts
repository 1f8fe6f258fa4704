// The yardstick over streams: every frame is sent back as an answer. `echo-tcp-process.js PORT [CERT KEY]`.

import { readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

const [port, cert, key] = process.argv.slice(2)
const serve = (socket: Socket): void => {
  let rest: Buffer = Buffer.alloc(0)
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    while (bytes.length - at >= 2 && bytes.length - at - 2 >= bytes.readUInt16BE(at)) {
      bytes[at + 4] = (bytes[at + 4] ?? 0) | 0x80
      at += 2 + bytes.readUInt16BE(at)
    }
    socket.write(bytes.subarray(0, at))
    rest = bytes.subarray(at)
  })
}
const server =
  cert === undefined || key === undefined
    ? createServer({ noDelay: true }, serve)
    : createTlsServer({ cert: readFileSync(cert), key: readFileSync(key), ALPNProtocols: ['dot'] }, serve)
server.listen(Number(port), '127.0.0.1', () => console.log('ready'))
