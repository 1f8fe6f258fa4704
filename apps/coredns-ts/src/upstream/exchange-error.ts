// Why an exchange with an upstream failed, in the words of Go's net package: patterns of the errors plugin are written for
// them (`.* i/o timeout$`).

import type { PeerAddress } from '@kubewire/dns-core'

/** What went wrong between two sides; `local` is absent before there is a connection. */
export interface FailedExchange {
  readonly network: 'udp' | 'tcp'
  readonly local: PeerAddress | undefined
  /** `ADDRESS:PORT` */
  readonly remote: string
}

/** `read udp 192.0.2.1:40000->192.0.2.53:53: i/o timeout` */
export function timeoutText(failed: FailedExchange): string {
  return `${placeOf(failed)}: i/o timeout`
}

/** `dial tcp 192.0.2.53:53: connect: connection refused` */
export function exchangeErrorText(cause: unknown, failed: FailedExchange): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const words = systemWords[code]
  if (words === undefined) return cause instanceof Error ? cause.message : String(cause)
  return `${placeOf(failed)}: ${failed.local === undefined ? 'connect' : 'read'}: ${words}`
}

/** An address and a port as one text, IPv6 in brackets. */
export function hostPort({ address, port }: PeerAddress): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
}

function placeOf({ network, local, remote }: FailedExchange): string {
  return local === undefined ? `dial ${network} ${remote}` : `read ${network} ${hostPort(local)}->${remote}`
}

const systemWords: { readonly [code: string]: string } = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset by peer',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  EACCES: 'permission denied',
}
