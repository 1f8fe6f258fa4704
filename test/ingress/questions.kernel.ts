// Questions to an authentication service over connections that stay, with both forms of routes; and that neither they
// nor copies nor what nginx asks itself is counted as a request.

import type { KubeObject } from '@kubewire/kube-model'
import { endpointSlice, ingress, service } from '@kubewire/kube-model/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { whyNoNetns } from '../harness/netns.ts'
import { type RunningProgram, startProgram } from '../harness/process.ts'
import { startWorld, type World } from './world.ts'

const missing = whyNoNetns()
if (missing !== undefined) console.log(`questions.kernel.ts is skipped: ${missing}`)

/** Answers with the status that X-Gate asks for and tells over how many connections it was asked. */
const gate = `
let connections = 0
const server = require('node:http').createServer((request, response) => {
  response.writeHead(Number(request.headers['x-gate'] ?? 401), {
    'Set-Cookie': 'gate=1', 'X-User': 'ada', 'X-Connections': String(connections), 'X-Asked': request.url,
  })
  response.end('a body')
})
server.on('connection', () => { connections++ })
server.listen(9000, '10.20.3.5')
`

const annotations = (one: { readonly [name: string]: string }): { [name: string]: string } =>
  Object.fromEntries(Object.entries(one).map(([name, value]) => [`nginx.ingress.kubernetes.io/${name}`, value]))

function site(name: string, more: { readonly [name: string]: string }, path = '/'): KubeObject {
  const backend = { service: { name: 'tea', port: { number: 80 } } }
  const rules = [{ host: `${name}.example.org`, http: { paths: [{ path, pathType: 'Prefix' as const, backend }] } }]
  return ingress(`shop/${name}`, { rules }, annotations(more)) as KubeObject
}

const asked = {
  'auth-url': 'http://10.20.3.5:9000/check?from=$host',
  'auth-response-headers': 'X-User,X-Connections,X-Asked',
}

describe.skipIf(missing !== undefined).each(['data', 'static'])('with routes as %s', (routes) => {
  let world: World
  let answering: RunningProgram

  beforeAll(async () => {
    const settings = {
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'shop' } },
      data: { 'use-http2': 'false' },
    } as KubeObject
    world = await startWorld({
      label: `questions-${routes}`,
      flags: [
        ...['--watch-ingress-without-class', `--routes=${routes}`, '--configmap=shop/settings'],
        '--enable-metrics=true',
      ],
      objects: [
        service('shop/tea', { ports: [{ port: 80, targetPort: 8080, protocol: 'TCP' }] }),
        endpointSlice('shop/tea', ['10.20.3.4']),
        settings,
        site('kept', { ...asked, 'auth-keepalive': '8', 'auth-signin': 'https://sso.example/start' }),
        site('shared', { ...asked, 'auth-keepalive': '8', 'auth-keepalive-share-vars': 'true' }),
        site('each', asked),
        site('counted', asked),
        site('counted-kept', { ...asked, 'auth-keepalive': '8' }),
        site('copied', { 'mirror-target': 'http://10.20.3.5:9000/copy$request_uri' }),
        site('deep', {}, '/deep'),
      ],
    })
    const args = ['netns', 'exec', world.netns.name, 'node', '-e', gate]
    answering = startProgram({ program: 'ip', args })
    await world.until('200 one', 'kept.example.org', '/', '-H', 'X-Gate: 200')
  }, 60_000)
  afterAll(async () => {
    await answering?.stop()
    await world?.close()
  })

  /** What the backend heard from the gate, and the answer's headers. */
  const ask = async (host: string, status: number): Promise<{ seen: { [name: string]: string }; head: string }> => {
    const words = ['-s', '-i', '--max-time', '3', '-H', `Host: ${host}.example.org`, '-H', `X-Gate: ${status}`]
    const { stdout } = await world.netns.run('curl', [...words, '-H', 'X-User: forged', 'http://127.0.0.1/x'])
    const [head = '', body = ''] = stdout.split('\r\n\r\n')
    return { head, seen: body.startsWith('{') ? JSON.parse(body).headers : {} }
  }

  it.each(['kept', 'shared'])(
    '%s: many questions share a few connections',
    async (host) => {
      const before = Number((await ask(host, 200)).seen['x-connections'])
      for (let i = 0; i < 20; i++) await ask(host, 200)
      const { seen, head } = await ask(host, 200)
      expect(Number(seen['x-connections']) - before).toBeLessThanOrEqual(4)
      expect(seen['x-user']).toBe('ada')
      expect(seen['x-asked']).toBe(`/check?from=${host}.example.org`)
      expect(head).toMatch(/^HTTP\/1\.1 200.*set-cookie: gate=1/is)
    },
    30_000,
  )

  it('each question has a connection of its own without the annotation', async () => {
    const before = Number((await ask('each', 200)).seen['x-connections'])
    for (let i = 0; i < 9; i++) await ask('each', 200)
    expect(Number((await ask('each', 200)).seen['x-connections']) - before).toBe(10)
  }, 30_000)

  it.each([
    ['shared', 401, /^HTTP\/1\.1 401/],
    ['kept', 401, /^HTTP\/1\.1 302.*location: https:\/\/sso\.example\/start\?rd=http:\/\/kept\.example\.org%2Fx/is],
    ['kept', 403, /^HTTP\/1\.1 403/],
    ['kept', 204, /^HTTP\/1\.1 500/],
    ['kept', 503, /^HTTP\/1\.1 500/],
  ])('%s: a question that is answered %d lets nobody pass', async (host, status, answer) => {
    const { head, seen } = await ask(host, status)
    expect(head).toMatch(answer)
    expect(seen).toEqual({})
  })

  it('requests are counted once, whatever they make nginx ask', async () => {
    const counted = async (host: string): Promise<number> => {
      const lines = (await world.health('/metrics')).split('\n')
      const own = lines.filter(
        (line) => line.startsWith('nginx_ingress_controller_requests{') && line.includes(`"${host}.example.org"`),
      )
      return own.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
    }
    const rows = [
      ['counted', '/x'],
      ['counted-kept', '/x'],
      ['copied', '/x'],
      // Nobody's path: the default backend is a server of the same nginx.
      ['deep', '/elsewhere'],
    ] as const
    for (const [host, path] of rows) {
      for (let i = 0; i < 5; i++) await world.ask(`${host}.example.org`, path, '-H', 'X-Gate: 200')
    }
    for (const [host] of rows) await world.daemon.waitUntil(async () => (await counted(host)) >= 5, 5000)
    // Once a later request is counted, whatever else was to be counted has come, too.
    await world.ask('deep.example.org', '/deep')
    await world.daemon.waitUntil(async () => (await counted('deep')) >= 6, 5000)
    const all = await Promise.all(rows.map(async ([host]) => [host, await counted(host)] as const))
    expect(all.map(([host, count]) => `${host} ${count}`)).toEqual([
      'counted 5',
      'counted-kept 5',
      'copied 5',
      'deep 6',
    ])
  }, 30_000)
})
