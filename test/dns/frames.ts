// Messages of DNS over a stream.

import type { Socket } from 'node:net'

/** A message with its length in front (RFC 1035 §4.2.2). */
export function frame(bytes: Uint8Array): Buffer {
  const framed = Buffer.alloc(bytes.length + 2)
  framed.writeUInt16BE(bytes.length)
  framed.set(bytes, 2)
  return framed
}

/** The IDs of the next `count` messages of a connection, in ascending order. */
export function readIds(socket: Socket, count: number): Promise<number[]> {
  return new Promise((resolve) => {
    const ids: number[] = []
    let received: Buffer = Buffer.alloc(0)
    const look = (chunk: Buffer): void => {
      received = Buffer.concat([received, chunk])
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        ids.push(received.readUInt16BE(2))
        received = received.subarray(2 + received.readUInt16BE(0))
      }
      if (ids.length < count) return
      socket.removeListener('data', look)
      resolve(ids.sort((a, b) => a - b))
    }
    socket.on('data', look)
  })
}
