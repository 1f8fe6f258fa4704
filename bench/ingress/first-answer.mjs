// Asks for a host until it is served, every few milliseconds; runs in the namespace of the daemon and is there before it.
// `node first-answer.mjs HOST WANTED` prints `waiting`, then the time of the wanted answer (Unix, milliseconds).

import { connect } from 'node:net'

const [host, wanted] = process.argv.slice(2)
const pauseMs = 5

console.log('waiting')
while (!(await ask()).endsWith(`\r\n\r\n${wanted}`)) await new Promise((resolve) => setTimeout(resolve, pauseMs))
console.log(`answered at ${Date.now()}`)

// By hand, since it shares the processors with what is measured.
function ask() {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(80, '127.0.0.1', () => socket.write(`GET / HTTP/1.0\r\nHost: ${host}\r\n\r\n`))
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
  })
}
