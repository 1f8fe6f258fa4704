// One question over a real socket, from a chosen source address.

import { createSocket } from 'node:dgram'
import { connect } from 'node:net'
import { decodeMessage, rrType } from '@kubewire/dns-core'

/** Where the server is. */
export interface AskTarget {
  readonly address: string
  readonly port: number
}

const waitMs = 3000

/** The reply of a datagram, or nothing. */
export function askOverUdp(bytes: Uint8Array, target: AskTarget, source?: string): Promise<Uint8Array[]> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(target.address.includes(':') ? 'udp6' : 'udp4')
    const end = (messages: Uint8Array[]): void => {
      clearTimeout(timer)
      socket.close()
      resolve(messages)
    }
    const timer = setTimeout(() => end([]), waitMs)
    socket.on('error', reject)
    socket.on('message', (message) => {
      if (message[0] === bytes[0] && message[1] === bytes[1]) end([message])
    })
    socket.bind({ port: 0, ...(source === undefined ? {} : { address: source }) }, () => {
      socket.send(bytes, target.port, target.address)
    })
  })
}

/** The reply of a connection; of a transfer every message up to the second SOA. */
export function askOverTcp(
  bytes: Uint8Array,
  target: AskTarget,
  source: string | undefined,
  isTransfer: boolean,
): Promise<Uint8Array[]> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: target.address,
      port: target.port,
      ...(source === undefined ? {} : { localAddress: source }),
    })
    const messages: Uint8Array[] = []
    let received: Buffer = Buffer.alloc(0)
    const end = (): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(messages)
    }
    const timer = setTimeout(end, waitMs)
    socket.on('error', reject)
    socket.on('close', end)
    socket.on('connect', () => {
      const frame = Buffer.alloc(bytes.length + 2)
      frame.writeUInt16BE(bytes.length)
      frame.set(bytes, 2)
      socket.write(frame)
    })
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const length = received.readUInt16BE(0)
        messages.push(Uint8Array.from(received.subarray(2, 2 + length)))
        received = received.subarray(2 + length)
      }
      if (messages.length > 0 && (!isTransfer || isComplete(messages))) end()
    })
  })
}

/** A transfer is whole when its second SOA came, or when it is no transfer at all. */
function isComplete(messages: readonly Uint8Array[]): boolean {
  const decoded = messages.map(decodeMessage)
  const records = decoded.flatMap((message) => message?.answer ?? [])
  const soas = records.filter((record) => record.type === rrType.SOA).length
  return soas !== 1 || records.length === 1
}
