// Asks for a host until it is served, every few milliseconds; runs in the namespace of the daemon and is there before it.
// `node first-answer.mjs HOST WANTED` prints `waiting`, then the time of the wanted answer (Unix, milliseconds).

import { request } from 'node:http'

const [host, wanted] = process.argv.slice(2)
const pauseMs = 3

console.log('waiting')
while ((await ask()) !== wanted) await new Promise((resolve) => setTimeout(resolve, pauseMs))
console.log(`answered at ${Date.now()}`)

function ask() {
  return new Promise((resolve) => {
    const asked = request({ host: '127.0.0.1', port: 80, agent: false, headers: { host } }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve(text))
    })
    asked.on('error', () => resolve(undefined))
    asked.setTimeout(5000, () => asked.destroy())
    asked.end()
  })
}
