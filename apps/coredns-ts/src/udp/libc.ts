// The few functions of the C library behind the batched UDP sockets, through the optional package koffi. Constants and
// struct layouts are those of 64-bit little-endian Linux, where alone this is used.

import { createRequire } from 'node:module'

/** Functions as libc has them: -1 means failed, the reason is in `errno()`. Pointers are typed arrays or addresses. */
export interface Libc {
  socket(family: number, type: number, protocol: number): number
  bind(fd: number, address: Uint8Array, length: number): number
  setsockopt(fd: number, level: number, name: number, value: Int32Array, length: number): number
  close(fd: number): number
  recvmmsg(fd: number, headers: Uint8Array, count: number, flags: number, timeout: null): number
  sendmmsg(fd: number, headers: Uint8Array, count: number, flags: number): number
  errno(): number
  /** Where the memory behind a buffer lies; it stays there as long as the buffer lives. */
  addressOf(buffer: ArrayBuffer): bigint
}

/** Numbers of Linux on x64 and arm64 (asm-generic). */
export const linux = {
  AF_INET: 2,
  AF_INET6: 10,
  SOCK_DGRAM: 2,
  SOCK_NONBLOCK: 0x800,
  SOCK_CLOEXEC: 0x80000,
  SOL_SOCKET: 1,
  SO_REUSEADDR: 2,
  SO_RCVBUF: 8,
  SO_REUSEPORT: 15,
  IPPROTO_IPV6: 41,
  IPV6_V6ONLY: 26,
  MSG_DONTWAIT: 0x40,
  EAGAIN: 11,
} as const

/** Loads the functions. Throws an Error that says why they are not to be had here. */
export function loadLibc(): Libc {
  const { platform, arch } = process
  if (platform !== 'linux' || (arch !== 'x64' && arch !== 'arm64')) {
    throw new Error(`it needs Linux on x64 or arm64, this is ${platform} on ${arch}`)
  }
  const koffi = loadKoffi()
  // Without a name: what this process is linked with, glibc or musl.
  const library = koffi.load(null)
  return {
    socket: library.func('int socket(int, int, int)'),
    bind: library.func('int bind(int, void *, unsigned int)'),
    setsockopt: library.func('int setsockopt(int, int, int, void *, unsigned int)'),
    close: library.func('int close(int)'),
    recvmmsg: library.func('int recvmmsg(int, void *, unsigned int, int, void *)'),
    sendmmsg: library.func('int sendmmsg(int, void *, unsigned int, int)'),
    errno: () => koffi.errno(),
    addressOf: (buffer) => koffi.address(buffer),
  }
}

/** The part of koffi used here. */
interface Koffi {
  // biome-ignore lint/suspicious/noExplicitAny: the text says the type, the caller knows it
  load(path: string | null): { func(definition: string): any }
  errno(): number
  address(value: ArrayBuffer): bigint
}

function loadKoffi(): Koffi {
  try {
    return createRequire(import.meta.url)('koffi') as Koffi
  } catch (cause) {
    const [line = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n')
    throw new Error(`the package koffi does not load: ${line}`, { cause })
  }
}
