// Serves one prepared list, by pages' form or streamed, as fast as the loopback allows; a process of its own. The first
// plain watch is told that its version expired as soon as `/expire` is asked for, so that the client lists again.

import { createReadStream } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'

const [listFile = '', framesFile = ''] = process.argv.slice(2)
const chunkBytes = 256 * 1024
const expired = '{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired"}}\n'
const watches = new Set<ServerResponse>()

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost')
  if (url.pathname === '/expire') {
    for (const watch of watches) watch.end(expired)
    return void response.end()
  }
  response.writeHead(200, { 'content-type': 'application/json' })
  if (!url.searchParams.has('watch'))
    return void createReadStream(listFile, { highWaterMark: chunkBytes }).pipe(response)
  watches.add(response)
  response.once('close', () => watches.delete(response))
  if (url.searchParams.has('sendInitialEvents')) {
    createReadStream(framesFile, { highWaterMark: chunkBytes }).pipe(response, { end: false })
  } else response.flushHeaders()
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`)
})
