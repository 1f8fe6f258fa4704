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
