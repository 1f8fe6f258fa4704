import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type EndpointOptions, type Endpoints, serveEndpoints } from './http-endpoints.ts'

let open: Endpoints | undefined
afterEach(async () => open?.close())

async function serve(options: Partial<EndpointOptions> = {}): Promise<string> {
  open = await serveEndpoints({
    address: '127.0.0.1',
    port: 0,
    routes: {
      '/healthz': () => ({ body: 'ok' }),
      '/ready': () => ({ status: 503, body: 'kubernetes' }),
      '/echo': ({ method, body, query }) => ({ body: `${method} ${query.get('q')} ${body}` }),
      '/tree/': ({ path }) => ({ body: path }),
      '/broken': () => {
        throw new Error('impossible')
      },
    },
    ...options,
  })
  return `http://127.0.0.1:${open.port}`
}

test.each([
  ['/healthz', 200, 'ok'],
  ['/ready', 503, 'kubernetes'],
  ['/echo?q=1', 200, 'GET 1 '],
  ['/tree/a/b', 200, '/tree/a/b'],
  ['/nope', 404, '404 page not found\n'],
  ['/broken', 500, 'internal error\n'],
  ['/__proto__', 404, '404 page not found\n'],
])('%s is answered %i', async (path, status, body) => {
  const response = await fetch((await serve()) + path)
  expect([response.status, await response.text()]).toEqual([status, body])
})

test('a body beyond the limit is refused, one within it is given to the route', async () => {
  const url = await serve({ maxBodyBytes: 4 })
  expect(await (await fetch(`${url}/echo`, { method: 'POST', body: 'four' })).text()).toBe('POST null four')
  expect((await fetch(`${url}/echo`, { method: 'POST', body: 'five!' })).status).toBe(413)
})

test('a peer that sends nothing is cut off, and others are served meanwhile', async () => {
  const url = await serve({ requestTimeoutMs: 300, maxConnections: 8 })
  const idle = connect(open?.port ?? 0, '127.0.0.1')
  const closed = new Promise((resolve) => idle.on('close', resolve))
  idle.on('error', () => {})
  idle.write('GET /healthz HTTP/1.1\r\nhost: x\r\n')
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  await closed
})

test('2,000 idle connections are closed but for the allowed ones, and the server goes on answering', async () => {
  const url = await serve({ requestTimeoutMs: 500, maxConnections: 32 })
  const idle = Array.from({ length: 2000 }, () => connect(open?.port ?? 0, '127.0.0.1'))
  const ends = idle.map(
    (socket) =>
      new Promise<void>((resolve) => {
        socket.on('error', () => {})
        socket.on('close', () => resolve())
        socket.write('GET /healthz HTTP/1.1\r\n', () => {})
      }),
  )
  await Promise.all(ends)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
}, 20_000)

test('a body of 100 MB is given up after the limit, not swallowed', async () => {
  const url = new URL(await serve({ maxBodyBytes: 64 * 1024 }))
  const socket = connect(Number(url.port), url.hostname)
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  socket.write(`POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: ${100 * 1024 * 1024}\r\n\r\n`)
  const chunk = Buffer.alloc(64 * 1024)
  let isClosed = false
  void closed.then(() => {
    isClosed = true
  })
  while (!isClosed && socket.bytesWritten < 100 * 1024 * 1024) {
    if (!socket.write(chunk)) await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve))])
  }
  await closed
  // What fits into the buffers of both sides of the loopback, and no more.
  expect(socket.bytesWritten).toBeLessThan(32 * 1024 * 1024)
  expect((await fetch(`${url.origin}/healthz`)).status).toBe(200)
}, 20_000)
