import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDataPush, PushError } from './data-push.ts'

describe('the control socket', () => {
  let dir: string
  let server: Server
  let seen: (readonly [path: string, body: unknown])[]
  let status: number

  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'kubewire-push-'))
    seen = []
    status = 201
    server = createServer((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk
      })
      request.on('end', () => {
        if (request.method === 'POST') seen.push([request.url ?? '', JSON.parse(body)])
        response.statusCode = request.method === 'POST' ? status : 200
        response.end(/^\/(?:generation|owner)$/.test(request.url ?? '') ? '7' : '')
      })
    })
    await new Promise<void>((resolve) => server.listen(join(dir, 'control.sock'), resolve))
  })
  afterEach(async () => {
    await new Promise((resolve) => server.close(resolve))
    rmSync(dir, { recursive: true, force: true })
  })

  const push = () => createDataPush(join(dir, 'control.sock'))
  const empty = { backends: {}, servers: {}, certificates: {}, routes: {} }

  it('what a route names is there before the route and goes after it', async () => {
    const data = { backends: { a: '{}' }, servers: { h: 'id' }, certificates: { id: 'pem' }, routes: { h: '{}' } }
    await push().pushAll(data)
    expect(seen).toEqual([
      ['/configuration/servers', { whole: true, servers: { h: 'id' }, certificates: { id: 'pem' } }],
      ['/configuration/backends', { backends: { a: '{}' } }],
      ['/configuration/routes', { whole: true, hosts: { h: '{}' } }],
      ['/configuration/backends', { whole: true, backends: { a: '{}' } }],
    ])
    seen = []
    await push().pushChange({ ...empty, backends: { a: '{}', b: null }, routes: { h: '{}', g: null } })
    expect(seen).toEqual([
      ['/configuration/backends', { backends: { a: '{}' } }],
      ['/configuration/routes', { hosts: { h: '{}', g: null } }],
      ['/configuration/backends', { backends: { b: null } }],
    ])
  })

  it('of two controllers the later one is told apart in every push', async () => {
    const later = push()
    await later.takeOver()
    await later.pushChange({ ...empty, backends: { a: null } })
    expect(seen.at(-1)).toEqual(['/configuration/backends', { owner: 7, backends: { a: null } }])
  })

  it('only the parts that changed are sent', async () => {
    await push().pushChange({ ...empty, backends: { a: null } })
    expect(seen).toEqual([['/configuration/backends', { backends: { a: null } }]])
  })

  it('tells how often workers have started', async () => {
    expect(await push().generation()).toBe(7)
    expect(await createDataPush(join(dir, 'no.sock')).generation()).toBe(0)
  })

  it('another answer is an error', async () => {
    status = 507
    await expect(push().pushChange({ ...empty, backends: { a: '{}' } })).rejects.toThrow(PushError)
  })

  it('so is no answer', async () => {
    await expect(createDataPush(join(dir, 'no.sock')).status()).rejects.toThrow('does not answer')
  })
})
