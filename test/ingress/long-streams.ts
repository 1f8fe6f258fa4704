// Connections that stay open, and the backends they reach: websockets and gRPC streams that send a message ten times a
// second and expect it back. Both by hand, since what is measured is whether the connection lives.

import { createHash, randomBytes } from 'node:crypto'
import http from 'node:http'
import http2 from 'node:http2'
import net from 'node:net'

/** Some open streams. */
export interface Streams {
  /** What broke, in words. */
  broken(): readonly string[]
  /** Messages that came back. */
  messages(): number
  close(): void
}

const everyMs = 100

/** An HTTP server on 8080, a websocket echo on 8081 and an HTTP/2 echo (without TLS) on 8082. */
export async function startBackends(address: string): Promise<{ close(): void }> {
  const plain = http.createServer((request, response) => {
    request.resume()
    response.end('tea')
  })
  plain.keepAliveTimeout = 120_000
  const chat = http.createServer()
  chat.on('upgrade', (request, socket) => {
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    const accept = createHash('sha1').update(key).digest('base64')
    socket.on('error', () => {})
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    // Frames go back as they came; the client does not look at the mask.
    socket.on('data', (chunk) => socket.write(chunk))
  })
  const grpc = http2.createServer()
  grpc.on('stream', (stream) => {
    stream.on('error', () => {})
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' })
    stream.on('data', (chunk: Buffer) => stream.write(chunk))
    stream.on('end', () => stream.end())
  })
  const servers = [plain, chat, grpc]
  await Promise.all(
    servers.map((server, at) => new Promise<void>((resolve) => server.listen(8080 + at, address, resolve))),
  )
  return {
    close: () => {
      for (const server of servers) server.close()
    },
  }
}

/** Websockets to a host over plain http. */
export async function openWebSockets(host: string, count: number): Promise<Streams> {
  const { streams, note, open } = createStreams()
  for (let i = 0; i < count; i++) {
    const name = `websocket ${i}`
    const socket = net.connect(80, '127.0.0.1')
    const key = randomBytes(16).toString('base64')
    socket.on('error', (error) => note.broke(name, error.message))
    socket.on('close', () => note.broke(name, 'closed'))
    await new Promise<void>((resolve) => {
      socket.once('data', (chunk) => {
        if (!chunk.toString().startsWith('HTTP/1.1 101')) note.broke(name, chunk.toString().slice(0, 80))
        socket.on('data', () => note.message())
        resolve()
      })
      socket.write(
        `GET / HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
      )
    })
    // A masked text frame "hi!!" with a mask of zeros.
    const frame = Buffer.from([0x81, 0x84, 0, 0, 0, 0, 0x68, 0x69, 0x21, 0x21])
    open(
      () => socket.write(frame),
      () => socket.destroy(),
    )
  }
  return streams
}

/** gRPC streams to a host over https. */
export async function openGrpcStreams(host: string, count: number): Promise<Streams> {
  const { streams, note, open } = createStreams()
  for (let i = 0; i < count; i++) {
    const name = `gRPC stream ${i}`
    const session = http2.connect('https://127.0.0.1', { servername: host, rejectUnauthorized: false })
    session.on('error', (error) => note.broke(name, error.message))
    session.on('close', () => note.broke(name, 'session closed'))
    const stream = session.request({
      ':method': 'POST',
      ':path': '/echo.Echo/Talk',
      ':authority': host,
      'content-type': 'application/grpc',
      te: 'trailers',
    })
    stream.on('error', (error) => note.broke(name, error.message))
    stream.on('close', () => note.broke(name, 'closed'))
    const answered = new Promise<void>((resolve) => {
      stream.once('response', (headers) => {
        if (headers[':status'] !== 200) note.broke(name, `status ${headers[':status']}`)
        resolve()
      })
    })
    stream.on('data', () => note.message())
    const message = Buffer.from([0, 0, 0, 0, 2, 0x68, 0x69])
    stream.write(message)
    await answered
    open(
      () => stream.write(message),
      () => session.destroy(),
    )
  }
  return streams
}

function createStreams(): {
  readonly streams: Streams
  readonly note: { broke(name: string, why: string): void; message(): void }
  readonly open: (send: () => void, end: () => void) => void
} {
  const broken: string[] = []
  const ends: (() => void)[] = []
  let messages = 0
  let isClosed = false
  return {
    streams: {
      broken: () => broken,
      messages: () => messages,
      close: () => {
        isClosed = true
        for (const end of ends) end()
      },
    },
    note: {
      broke: (name, why) => {
        if (!isClosed) broken.push(`${name}: ${why}`)
      },
      message: () => {
        messages++
      },
    },
    open: (send, end) => {
      const timer = setInterval(send, everyMs)
      ends.push(() => {
        clearInterval(timer)
        end()
      })
    },
  }
}
