// A UNIX socket that stands for a port of this process's own namespace, for a forwarder inside another one.

import net from 'node:net'

/** Listens at `socketPath` and hands each connection to `port` of the loopback. */
export function listenBridge(port: number, socketPath: string): Promise<net.Server> {
  const bridge = net.createServer((near) => {
    const far = net.connect(port, '127.0.0.1')
    near.pipe(far).pipe(near)
    near.on('error', () => far.destroy()).on('close', () => far.destroy())
    far.on('error', () => near.destroy()).on('close', () => near.destroy())
  })
  return new Promise((resolve) => bridge.listen(socketPath, () => resolve(bridge)))
}
