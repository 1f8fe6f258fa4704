// Joins a namespace to processes outside of it without any link: UNIX sockets with a path do not belong to a network
// namespace, so a forwarder inside can turn them into TCP, in either direction. TLS passes through untouched.

import { startDaemon } from './daemon.ts'
import type { Netns } from './netns.ts'

/** A running forwarder. */
export interface Forwarder {
  close(): Promise<void>
}

/**
 * Starts a forwarder inside a namespace.
 *
 * @param from - where it listens: `127.0.0.1:6443`, `[::1]:80`, or the path of a UNIX socket
 * @param to - where each connection goes, written alike
 */
export async function startForwarder(netns: Netns, from: string, to: string): Promise<Forwarder> {
  const child = await startDaemon({
    daemon: 'test/harness/forward-child.ts',
    netns,
    args: [from, to],
    isReady: ({ output }) => output().includes('ready'),
  })
  return { close: () => child.stop() }
}
