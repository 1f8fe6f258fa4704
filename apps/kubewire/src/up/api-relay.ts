// Joins the API server's loopback port to the node's address: a Unix socket here, the relay process inside.

import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { startChild } from './child.ts'
import { DemoError } from './netns.ts'
import { type DemoPlan, demoNetwork } from './plan.ts'

/** Starts both halves; resolves when the address inside answers. */
export async function startApiRelay(plan: DemoPlan, port: number): Promise<{ close(): Promise<void> }> {
  const socketPath = join(plan.stateFolder, 'api.sock')
  const door = createServer({ allowHalfOpen: true }, (inner) => {
    const outer = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    inner.pipe(outer)
    outer.pipe(inner)
    const end = (): void => {
      inner.destroy()
      outer.destroy()
    }
    for (const socket of [inner, outer]) socket.on('error', end).on('close', end)
  })
  await listenOn(door, socketPath)
  const child = startChild(plan.namespaces.node, ['__relay', String(demoNetwork.apiPort), socketPath])
  const answer = await child.next()
  if (answer !== 'ok') throw new DemoError(answer)
  return {
    close: async () => {
      await child.close()
      await new Promise((resolve) => door.close(resolve))
    },
  }
}

function listenOn(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
}
