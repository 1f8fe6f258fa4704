// A client inside a namespace: opens connections from chosen source addresses and says how each went.
// One process serves many dials, so that a table of probes costs no process each.

import { startDaemon } from './daemon.ts'
import type { Netns } from './netns.ts'

/** One new connection (TCP) or one datagram and its answer (UDP). */
export interface Dial {
  readonly protocol: 'tcp' | 'udp'
  readonly address: string
  readonly port: number
  /** Source address and port; chosen by the kernel when absent. */
  readonly from?: string
  readonly fromPort?: number
  /** The line (TCP) or datagram (UDP) to send; `hello` when absent. */
  readonly send?: string
  /** How long to wait for the answer, 1000 when absent. */
  readonly timeoutMs?: number
}

/** How it went: the answer's first line, or the reason there is none. */
export type Dialed =
  | { readonly kind: 'answered'; readonly answer: string }
  /** ICMP unreachable or a TCP reset. */
  | { readonly kind: 'refused' }
  /** Nothing came back in time. */
  | { readonly kind: 'silent' }
  | { readonly kind: 'failed'; readonly error: string }

/** A client. */
export interface Dialer {
  dial(dial: Dial): Promise<Dialed>
  close(): Promise<void>
}

/** Starts a client inside a namespace. */
export async function startDialer(netns: Netns): Promise<Dialer> {
  const child = await startDaemon({ daemon: 'test/harness/dial-child.ts', netns })
  const waiting = new Map<number, (dialed: Dialed) => void>()
  let count = 0
  child.onLine((line) => {
    const { id, dialed } = JSON.parse(line) as { id: number; dialed: Dialed }
    waiting.get(id)?.(dialed)
    waiting.delete(id)
  })
  const ended = child.ended.then((): Dialed => ({ kind: 'failed', error: `dialer ended: ${child.output()}` }))
  return {
    dial(dial) {
      count += 1
      const id = count
      const dialed = new Promise<Dialed>((resolve) => waiting.set(id, resolve))
      child.write(`${JSON.stringify({ id, dial })}\n`)
      return Promise.race([dialed, ended])
    },
    close: () => child.stop(),
  }
}
