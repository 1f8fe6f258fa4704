// Echo endpoints inside a namespace, in a process of their own that takes orders over a pipe.

import { startDaemon } from './daemon.ts'
import type { EchoEndpoint, EchoServer } from './echo-server.ts'
import type { Netns } from './netns.ts'

/** Listens inside a namespace, in a process of its own. */
export async function startEchoServer(netns: Netns, endpoints: readonly EchoEndpoint[] = []): Promise<EchoServer> {
  const child = await startDaemon({ daemon: 'test/harness/echo-child.ts', netns })
  const waiting: ((answer: string) => void)[] = []
  child.onLine((line) => waiting.shift()?.(line))
  const order = async (verb: 'add' | 'remove', some: readonly EchoEndpoint[]): Promise<void> => {
    const answer = new Promise<string>((resolve) => waiting.push(resolve))
    child.write(`${JSON.stringify({ verb, endpoints: some })}\n`)
    const ended = child.ended.then(() => `echo server ended: ${child.output()}`)
    const text = await Promise.race([answer, ended])
    if (text !== 'done') throw new Error(text)
  }
  const server: EchoServer = {
    add: (some) => order('add', some),
    remove: (some) => order('remove', some),
    close: () => child.stop(),
  }
  await server.add(endpoints)
  return server
}
