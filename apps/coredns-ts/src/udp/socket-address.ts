// Addresses of sockets as the kernel lays them out (ip(7), ipv6(7)), and as Node spells them.

import { networkInterfaces } from 'node:os'
import type { PeerAddress } from '@kubewire/dns-core'
import { ipOf, parseIp } from '@kubewire/kube-model'
import { linux } from './libc.ts'

/** Bytes of the larger of both, `sockaddr_in6`; a `sockaddr_in` takes 16. */
export const socketAddressBytes = 28

/** Lays out an address; `%DEVICE` behind it is its scope. Throws when it is none. */
export function encodeSocketAddress({ address, port }: PeerAddress): Uint8Array {
  const [plain = '', device] = address.split('%')
  const ip = parseIp(plain)
  if (ip === undefined) throw new Error(`expected an IP address, got "${address}"`)
  const bytes = new Uint8Array(ip.family === 6 ? socketAddressBytes : 16)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, ip.family === 6 ? linux.AF_INET6 : linux.AF_INET, true)
  view.setUint16(2, port)
  if (ip.family === 4) view.setUint32(4, Number(ip.value))
  else {
    view.setBigUint64(8, ip.value >> 64n)
    view.setBigUint64(16, ip.value & 0xffff_ffff_ffff_ffffn)
    view.setUint32(24, device === undefined ? 0 : scopeOf(device), true)
  }
  return bytes
}

/** Reads the address at an offset. */
export function decodeSocketAddress(bytes: Uint8Array, at: number): PeerAddress {
  const port = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)
  if (bytes[at] === linux.AF_INET) {
    return { address: `${bytes[at + 4]}.${bytes[at + 5]}.${bytes[at + 6]}.${bytes[at + 7]}`, port }
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset + at)
  const { text } = ipOf(6, (view.getBigUint64(8) << 64n) | view.getBigUint64(16))
  const device = deviceOf(view.getUint32(24, true))
  return { address: device === undefined ? text : `${text}%${device}`, port }
}

function scopeOf(device: string): number {
  return networkInterfaces()[device]?.find(({ family }) => family === 'IPv6')?.scopeid ?? 0
}

function deviceOf(scope: number): string | undefined {
  if (scope === 0) return undefined
  const devices = Object.entries(networkInterfaces())
  return devices.find(([, list]) => list?.some(({ scopeid }) => scopeid === scope))?.[0]
}
