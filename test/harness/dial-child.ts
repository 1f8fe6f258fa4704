// The process behind `startDialer`: one JSON dial per line on stdin, its result per line on stdout, in any order.

import dgram from 'node:dgram'
import net from 'node:net'
import readline from 'node:readline'
import type { Dial, Dialed } from './dialer.ts'

const refusals: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH'])

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { id, dial } = JSON.parse(line) as { id: number; dial: Dial }
  void (dial.protocol === 'tcp' ? dialTcp(dial) : dialUdp(dial)).then((dialed) => {
    console.log(JSON.stringify({ id, dialed }))
  })
}
process.exit(0)

function dialTcp(dial: Dial): Promise<Dialed> {
  return new Promise((resolve) => {
    const socket = net.connect({
      host: dial.address,
      port: dial.port,
      ...(dial.from === undefined ? {} : { localAddress: dial.from }),
      ...(dial.fromPort === undefined ? {} : { localPort: dial.fromPort }),
    })
    const end = (dialed: Dialed): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(dialed)
    }
    const timer = setTimeout(() => end({ kind: 'silent' }), dial.timeoutMs ?? 1000)
    let text = ''
    socket.on('connect', () => socket.write(`${dial.send ?? 'hello'}\n`))
    socket.on('error', (error) => end(failure(error)))
    socket.on('close', () => end({ kind: 'refused' }))
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (text.includes('\n')) end({ kind: 'answered', answer: text.slice(0, text.indexOf('\n')) })
    })
  })
}

function dialUdp(dial: Dial): Promise<Dialed> {
  return new Promise((resolve) => {
    const socket = dgram.createSocket(dial.address.includes(':') ? 'udp6' : 'udp4')
    let isOpen = true
    const end = (dialed: Dialed): void => {
      clearTimeout(timer)
      if (isOpen) socket.close()
      isOpen = false
      resolve(dialed)
    }
    const timer = setTimeout(() => end({ kind: 'silent' }), dial.timeoutMs ?? 1000)
    socket.on('error', (error) => end(failure(error)))
    socket.on('message', (message) => end({ kind: 'answered', answer: message.toString() }))
    socket.bind({ ...(dial.from === undefined ? {} : { address: dial.from }), port: dial.fromPort ?? 0 }, () => {
      // A connected socket: only then does the kernel hand ICMP errors to it.
      socket.connect(dial.port, dial.address, (error?: Error) => {
        if (error) end(failure(error))
        else socket.send(dial.send ?? 'hello')
      })
    })
  })
}

function failure(error: NodeJS.ErrnoException): Dialed {
  return refusals.has(error.code) ? { kind: 'refused' } : { kind: 'failed', error: error.message }
}
