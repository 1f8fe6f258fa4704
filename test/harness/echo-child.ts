// The process behind `startEchoServer`: one JSON order per line on stdin, `done` or an error text per line on stdout.

import readline from 'node:readline'
import { createEchoServer, type EchoEndpoint } from './echo-server.ts'

const server = await createEchoServer()
for await (const line of readline.createInterface({ input: process.stdin })) {
  const { verb, endpoints } = JSON.parse(line) as { verb: 'add' | 'remove'; endpoints: readonly EchoEndpoint[] }
  try {
    await server[verb](endpoints)
    console.log('done')
  } catch (error) {
    console.log(String(error))
  }
}
process.exit(0)
