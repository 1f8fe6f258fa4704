// Faults over real sockets: what a client sees on the wire for each kind that is about connections rather than frames.

import { request } from 'node:http'
import { createMiniApiServer, type FaultRule, type MiniApiServer } from '@kubewire/mini-apiserver'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let server: MiniApiServer

beforeEach(async () => {
  server = await createMiniApiServer({ isPlainHttp: true, allowsFaults: true })
})
afterEach(() => server.close())

interface Seen {
  readonly status: number
  readonly text: string
  readonly chunks: number
  readonly end: 'end' | 'reset'
  readonly headers: { readonly [name: string]: unknown }
}

/** Asks and waits until the connection is done; a watch is cut after `limitMs`. */
function see(path: string, limitMs = 2000): Promise<Seen> {
  return new Promise((resolve) => {
    let seen = { status: 0, text: '', chunks: 0, headers: {} as { [name: string]: unknown } }
    const done = (end: Seen['end']) => resolve({ ...seen, end })
    const asked = request(server.url + path, { agent: false }, (message) => {
      seen = { ...seen, status: message.statusCode ?? 0, headers: message.headers }
      message.on('data', (chunk: Buffer) => {
        seen = { ...seen, text: seen.text + chunk.toString('latin1'), chunks: seen.chunks + 1 }
      })
      message.on('end', () => done('end'))
      message.on('error', () => done('reset'))
    })
    asked.on('error', () => done('reset'))
    asked.end()
    setTimeout(() => asked.destroy(), limitMs)
  })
}

const list = '/api/v1/services'
const watch = '/api/v1/services?watch=1&resourceVersion=0'

describe('faults on the wire', () => {
  it.each([
    [
      'throttle: plain text and Retry-After',
      { kind: 'throttle', retryAfter: 3 },
      list,
      { status: 429, headers: { 'retry-after': '3' } },
    ],
    [
      'serverError as a proxy page',
      { kind: 'serverError', status: 502, body: 'html' },
      list,
      { status: 502, headers: { 'content-type': 'text/html' } },
    ],
    ['unauthorized', { kind: 'unauthorized' }, list, { status: 401 }],
    ['expired', { kind: 'expired' }, list, { status: 410 }],
    ['tooLargeVersion', { kind: 'tooLargeVersion' }, list, { status: 504 }],
    ['garbage', { kind: 'garbage' }, list, { status: 200, text: expect.stringContaining('<html>') }],
    ['refuseConnection', { kind: 'refuseConnection' }, list, { status: 0, end: 'reset' }],
    ['slowBody comes in pieces', { kind: 'slowBody', chunk: 100, everyMs: 1 }, list, { status: 200, end: 'end' }],
    [
      'dropWatch is a clean end',
      { kind: 'dropWatch', frames: 1 },
      watch,
      { status: 200, text: expect.stringContaining('"ADDED"'), end: 'end' },
    ],
    ['reset of a watch', { kind: 'reset' }, watch, { status: 200, end: 'reset' }],
    [
      'gone by frame',
      { kind: 'gone' },
      watch,
      { status: 200, text: expect.stringContaining('"code":410'), end: 'end' },
    ],
    ['halfFrame', { kind: 'halfFrame' }, watch, { status: 200, text: expect.not.stringContaining('\n'), end: 'reset' }],
  ])('%s', async (_name, rule, path, wanted) => {
    server.faults.inject(rule as FaultRule)
    expect(await see(path)).toMatchObject(wanted)
    expect((await see(list)).status).toBe(200)
  })

  it('a list without limit and selector, whatever was asked', async () => {
    for (const name of ['a', 'b'])
      server.apply({ apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { ports: [{ port: 80 }] } } as never)
    server.faults.inject({ kind: 'ignoreLimit' })
    server.faults.inject({ kind: 'ignoreSelector' })
    const { text } = await see(`${list}?limit=1&labelSelector=none`)
    expect((JSON.parse(text) as { items: unknown[] }).items).toHaveLength(3)
  })

  it('restart: nobody home for a while, then history is gone', async () => {
    const before = server.resourceVersion()
    server.apply({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a' },
      spec: { ports: [{ port: 80 }] },
    } as never)
    server.faults.inject({ kind: 'restart', downMs: 300 })
    expect(await see(list)).toMatchObject({ status: 0, end: 'reset' })
    await expect.poll(async () => (await see(list)).status, { timeout: 5000 }).toBe(200)
    expect((await see(`/api/v1/services?watch=1&resourceVersion=${before}`)).text).toMatch(/too old resource version/)
  })

  it('rollback: an older state under an older version', async () => {
    server.apply({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a' },
      spec: { ports: [{ port: 80 }] },
    } as never)
    const version = Number(server.resourceVersion())
    server.faults.inject({ kind: 'rollback', by: 1 })
    await expect.poll(async () => (await see(list)).status, { timeout: 5000 }).toBe(200)
    const found = JSON.parse((await see(list)).text) as {
      metadata: { resourceVersion: string }
      items: { metadata: { name: string } }[]
    }
    expect(Number(found.metadata.resourceVersion)).toBe(version - 1)
    expect(found.items.map(({ metadata }) => metadata.name)).toEqual(['kubernetes'])
  })

  it('over HTTP: rules are added as text or JSON, listed and cleared; wrong ones are refused', async () => {
    const url = `${server.url}/__faults`
    const post = (body: string) => fetch(url, { method: 'POST', body })
    expect((await post('throttle,resource=pods,times=2')).status).toBe(200)
    expect((await post('[{"kind":"stall","verb":"watch"}]')).status).toBe(200)
    expect(await (await fetch(url)).json()).toMatchObject({
      items: [{ kind: 'throttle', times: 2 }, { kind: 'stall' }],
    })
    expect((await post('explode')).status).toBe(400)
    await fetch(url, { method: 'DELETE' })
    expect(await (await fetch(url)).json()).toMatchObject({ items: [] })
  })
})
