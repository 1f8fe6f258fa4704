// UDP sockets of a listener. One socket for each address of the machine beside the wildcard, so that replies leave from
// the address that was asked: Node cannot choose the source address of a datagram otherwise.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import type { PeerAddress } from '@kubewire/dns-core'
import { type Answering, answerBytes } from '../answer-bytes.ts'
import { answerHot } from '../answer-hot.ts'
import { wayOf } from '../metrics/count-requests.ts'
import type { DatagramReceiver, DatagramSocket, UdpBackend } from './udp-backend.ts'

/** An open listener. */
export interface OpenSocket {
  readonly answering: Answering
  close(): Promise<void>
}

/** How datagrams come, and from whom. */
export interface ListeningWays {
  readonly backend: UdpBackend
  /** Other processes have the same ports. */
  readonly isSpread: boolean
  /** Whether this process sees to it that no stranger has a port. */
  readonly checksPorts: boolean
}

/** Opens UDP sockets on an address, or on all addresses of the machine when it is empty. */
export async function listenUdp(
  { backend, isSpread, checksPorts }: ListeningWays,
  address: string,
  port: number,
  answering: Answering,
): Promise<OpenSocket> {
  const sockets: DatagramSocket[] = []
  const isShared = address === ''
  if (isShared && checksPorts) await checkFree(port)
  const wildcards = hasIpv6() ? ['0.0.0.0', '::'] : ['0.0.0.0']
  const addresses = isShared ? [...wildcards, ...machineAddresses()] : [address]
  // COMPAT: to a question over UDP the server's address is the one it listens on, also where that is all of them.
  const own = isShared ? (wildcards[wildcards.length - 1] ?? '') : address
  for (const one of addresses) {
    try {
      const family = one.includes(':') ? 6 : 4
      const options = { address: one, port, family, isShared, isSpread } as const
      sockets.push(await backend.open(options, receiverOf(answering, { address: own, port }, family)))
    } catch (error) {
      // An address that vanished meanwhile is served by the wildcard.
      if (isShared && !wildcards.includes(one)) continue
      await Promise.all(sockets.map((socket) => socket.close()))
      throw error
    }
  }
  return {
    answering,
    close: async () => {
      await Promise.all(sockets.map((socket) => socket.close()))
    },
  }
}

function receiverOf(answering: Answering, local: PeerAddress, family: 4 | 6): DatagramReceiver {
  const way = wayOf('udp', family)
  return {
    answerNow: (message, length, out, isFollowing) => answerHot(answering, message, length, way, out, isFollowing),
    answer(message, { address, port }, reply) {
      const client = { address: withoutScope(address), port }
      answerBytes(answering, message, { transport: 'udp', client, local }, reply)
    },
  }
}

/** Shared binds do not notice another program on the port, so one bind without sharing comes first. */
async function checkFree(port: number): Promise<void> {
  const socket = createSocket({ type: 'udp4' })
  // In a worker of a cluster as well: the socket is this process's own.
  socket.bind({ port, address: '0.0.0.0', exclusive: true })
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
