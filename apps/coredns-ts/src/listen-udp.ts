// UDP sockets of a listener. One socket for each address of the machine beside the wildcard, so that replies leave from
// the address that was asked: Node cannot choose the source address of a datagram otherwise.

import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { type Answering, answerBytes } from './answer-bytes.ts'
import { answerHot } from './answer-hot.ts'

/** An open listener. */
export interface OpenSocket {
  readonly answering: Answering
  close(): Promise<void>
}

const receiveBufferBytes = 4 * 1024 * 1024

/** Opens UDP sockets on an address, or on all addresses of the machine when it is empty. */
export async function listenUdp(address: string, port: number, answering: Answering): Promise<OpenSocket> {
  const sockets: Socket[] = []
  const isShared = address === ''
  if (isShared) await checkFree(port)
  const wildcards = hasIpv6() ? ['0.0.0.0', '::'] : ['0.0.0.0']
  const addresses = isShared ? [...wildcards, ...machineAddresses()] : [address]
  for (const one of addresses) {
    try {
      sockets.push(await openSocket(one, port, isShared, answering))
    } catch (error) {
      // An address that vanished meanwhile is served by the wildcard.
      if (isShared && !wildcards.includes(one)) continue
      for (const socket of sockets) socket.close()
      throw error
    }
  }
  return {
    answering,
    close: async () => {
      await Promise.all(sockets.map((socket) => new Promise<void>((resolve) => socket.close(() => resolve()))))
    },
  }
}

async function openSocket(address: string, port: number, isShared: boolean, answering: Answering): Promise<Socket> {
  const family = address.includes(':') ? 6 : 4
  const socket = createSocket({
    type: family === 6 ? 'udp6' : 'udp4',
    ipv6Only: family === 6,
    reuseAddr: isShared,
    recvBufferSize: receiveBufferBytes,
    // The default goes through the resolver and a tick for every datagram.
    lookup: (host, _options, callback) => callback(null, host, family),
  })
  const local = { address, port }
  socket.on('message', (message, remote) => {
    const ready = answerHot(answering, message, 'udp', family)
    if (ready !== undefined) {
      socket.send(ready, remote.port, remote.address)
      return
    }
    const client = { address: withoutScope(remote.address), port: remote.port }
    answerBytes(answering, message, { transport: 'udp', client, local }, (reply) => {
      if (reply.length <= 65_507) socket.send(reply, remote.port, remote.address)
    })
  })
  // The lookup above is synchronous, and so is the event.
  const isListening = once(socket, 'listening')
  socket.bind(port, address)
  await isListening
  socket.on('error', () => {})
  return socket
}

/** Shared binds do not notice another program on the port, so one bind without sharing comes first. */
async function checkFree(port: number): Promise<void> {
  const socket = createSocket({ type: 'udp4' })
  socket.bind(port, '0.0.0.0')
  try {
    await once(socket, 'listening')
  } finally {
    await new Promise<void>((resolve) => socket.close(() => resolve()))
  }
}

function machineAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const usable = all.filter(
    ({ address, scopeid }) => scopeid === undefined || scopeid === 0 || !address.startsWith('fe80'),
  )
  return [...new Set(usable.map(({ address }) => address))]
}

function hasIpv6(): boolean {
  return Object.values(networkInterfaces()).some((list) => list?.some(({ family }) => family === 'IPv6'))
}

function withoutScope(address: string): string {
  const scope = address.indexOf('%')
  return scope < 0 ? address : address.slice(0, scope)
}
