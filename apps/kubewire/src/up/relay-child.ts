// A door through the wall of a namespace: listens inside on TCP and hands each connection to a Unix socket, which
// namespaces share. Daemons inside reach the demo's API server through it; TLS passes unopened.

import { connect, createServer } from 'node:net'

/** Listens on every address at `port` and relays to `socketPath`; prints `ok` once it does. */
export function runRelayChild(port: number, socketPath: string): void {
  const server = createServer({ allowHalfOpen: true }, (inner) => {
    const outer = connect({ path: socketPath, allowHalfOpen: true })
    inner.pipe(outer)
    outer.pipe(inner)
    const end = (): void => {
      inner.destroy()
      outer.destroy()
    }
    inner.on('error', end)
    outer.on('error', end)
    inner.on('close', end)
    outer.on('close', end)
  })
  server.maxConnections = 512
  server.listen({ port }, () => process.stdout.write('ok\n'))
  process.stdin.resume().on('end', () => process.exit(0))
}
