// Sends datagrams, each from a port of its own, and prints what comes back: what `curl` is for TCP.

import { createSocket } from 'node:dgram'

/** Asks `count` times and prints each answer, or `no answer`; ends the process. */
export async function runUdpAskChild(address: string, port: number, count: number): Promise<void> {
  const answers = Array.from({ length: count }, (_, i) => ask(address, port, `question ${i + 1}`))
  process.stdout.write((await Promise.all(answers)).map((answer) => `${answer.trim()}\n`).join(''))
  process.exit(0)
}

function ask(address: string, port: number, text: string): Promise<string> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
  return new Promise((resolve) => {
    const end = (answer: string): void => {
      clearTimeout(timer)
      socket.close()
      resolve(answer)
    }
    const timer = setTimeout(() => end('no answer'), 2000)
    socket.on('error', (error) => end(error.message))
    socket.on('message', (message) => end(message.toString()))
    socket.connect(port, address, () => socket.send(text))
  })
}
