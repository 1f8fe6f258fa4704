// The process behind `startForwarder`: takes connections at one place and hands them to another, bytes as they come.

import { rmSync } from 'node:fs'
import net from 'node:net'

const [from = '', to = ''] = process.argv.slice(2)
if (from.startsWith('/')) rmSync(from, { force: true })

const server = net.createServer((incoming) => {
  const outgoing = net.connect(placeOf(to))
  incoming.on('error', () => outgoing.destroy())
  outgoing.on('error', () => incoming.destroy())
  incoming.on('close', () => outgoing.destroy())
  outgoing.on('close', () => incoming.destroy())
  incoming.setNoDelay(true).pipe(outgoing).pipe(incoming)
})
server.listen({ ...placeOf(from), backlog: 511 }, () => console.log('ready'))

/** A path is a UNIX socket, anything else `ADDRESS:PORT`. */
function placeOf(text: string): { path: string } | { host: string; port: number } {
  if (text.startsWith('/')) return { path: text }
  const at = text.lastIndexOf(':')
  return { host: text.slice(0, at).replace(/^\[|]$/g, ''), port: Number(text.slice(at + 1)) }
}
