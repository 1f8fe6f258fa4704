// What must not break the server: hostile requests over real sockets, and hostile manifests. After each it still serves.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Problem } from '@kubewire/kube-model'
import { createMiniApiServer, type MiniApiServer } from '@kubewire/mini-apiserver'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

let server: MiniApiServer
let dir: string

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'kwtest-bad-'))
  server = await createMiniApiServer({ isPlainHttp: true })
})
afterAll(async () => {
  await server.close()
  rmSync(dir, { recursive: true, force: true })
})
afterEach(async () => {
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
})

const configMaps = '/api/v1/namespaces/default/configmaps'

async function post(
  path: string,
  body: string | Uint8Array,
  type = 'application/json',
): Promise<{ status: number; message: string }> {
  const answer = await fetch(server.url + path, {
    method: 'POST',
    body: body as never,
    headers: { 'content-type': type },
  })
  const status = (await answer.json()) as { kind: string; message: string }
  expect(status.kind).toBe('Status')
  return { status: answer.status, message: status.message }
}

/** Sends bytes as they stand and returns the first line of what comes back. */
function sendRaw(text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.end(text))
    let found = ''
    socket.on('data', (chunk) => {
      found += chunk.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(found.split('\r\n', 1)[0] ?? ''))
  })
}

describe('hostile requests', () => {
  it.each([
    ['half a document', '{"metadata":', 'application/json', 400],
    ['a list instead of an object', '[]', 'application/json', 400],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 'application/json', 400],
    [
      'an alias bomb',
      `a: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d,*d,*d]\n`,
      'application/yaml',
      400,
    ],
    ['protobuf that is none', Buffer.from('k8s\0garbage'), 'application/vnd.kubernetes.protobuf', 415],
    ['an unknown media type', 'x', 'application/cbor', 415],
    ['a name that climbs out of its folder', '{"metadata":{"name":"../../etc/passwd"}}', 'application/json', 422],
    ['a name with a zero byte', '{"metadata":{"name":"a\\u0000b"}}', 'application/json', 422],
    ['a prototype as metadata', '{"metadata":{"name":"proto","labels":{"__proto__":"x"}}}', 'application/json', 422],
    [
      'deep nesting',
      `{"metadata":{"name":"deep"},"data":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`,
      'application/json',
      400,
    ],
  ])('%s', async (_name, body, type, status) => {
    expect((await post(configMaps, body, type)).status).toBe(status)
  })

  it('10 MB are refused by size and the connection is still good for others', async () => {
    const { status, message } = await post(
      configMaps,
      `{"metadata":{"name":"big"},"data":{"a":"${'x'.repeat(10_000_000)}"}}`,
    )
    expect([status, message]).toEqual([413, 'Request entity too large: limit is 3145728'])
  })

  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', /^(|HTTP\/1\.1 400 .*)$/],
    ['a path that is no path', 'GET //[ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', /^HTTP\/1\.1 (400|404) /],
    [
      'percent signs that encode nothing',
      'GET /api/v1/namespaces/%zz/pods HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
      /^HTTP\/1\.1 200 /,
    ],
    [
      'dots in a path',
      'GET /api/v1/../../etc/passwd HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
      /^HTTP\/1\.1 404 /,
    ],
    [
      'a header that is too large',
      `GET / HTTP/1.1\r\nhost: x\r\na: ${'x'.repeat(100_000)}\r\n\r\n`,
      /^(|HTTP\/1\.1 431 .*)$/,
    ],
  ])('%s', async (_name, text, wanted) => {
    expect(await sendRaw(text)).toMatch(wanted)
  })

  it('an encoded slash in a name names nothing', async () => {
    expect((await fetch(`${server.url}${configMaps}/..%2F..%2Fsecrets`)).status).toBe(404)
  })
})

describe('hostile manifests', () => {
  it('are named with file and line, and the rest is served', async () => {
    const good = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: good, namespace: shop}\n'
    mkdirSync(join(dir, 'sub'))
    writeFileSync(join(dir, 'sub', 'good.yaml'), good)
    writeFileSync(join(dir, 'broken.yaml'), 'kind: [\n')
    writeFileSync(join(dir, 'binary.yaml'), Buffer.from([0xff, 0xfe, 0x00, 0x41]))
    writeFileSync(join(dir, 'twice.yaml'), `${good}data: {a: second}\n`)
    writeFileSync(join(dir, 'widget.yaml'), 'apiVersion: example.org/v1\nkind: Widget\nmetadata: {name: w}\n')
    writeFileSync(
      join(dir, 'climb.yaml'),
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ../../x, namespace: shop}\n',
    )
    writeFileSync(join(dir, 'not-an-object.yaml'), '- a\n- b\n')
    const many = Array.from(
      { length: 20_000 },
      (_, i) =>
        `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c${i}, namespace: many}\ndata: {a: "${'x'.repeat(450)}"}\n`,
    )
    writeFileSync(join(dir, 'huge.yaml'), many.join(''))
    const problems: Problem[] = []
    await server.followManifests(dir, { onProblem: (problem) => problems.push(problem) })
    expect(problems.map(({ code, position }) => `${code} ${position?.file}`).sort()).toEqual([
      'API_MANIFEST_DUPLICATE twice.yaml',
      'API_MANIFEST_FILE binary.yaml',
      'API_MANIFEST_KIND widget.yaml',
      'API_MANIFEST_REFUSED climb.yaml',
      'MODEL_NOT_AN_OBJECT not-an-object.yaml',
      'MODEL_YAML broken.yaml',
    ])
    expect(server.list('ConfigMap', 'many')).toHaveLength(20_000)
    expect(server.get('ConfigMap', 'good', 'shop')).toBeDefined()
  }, 120_000)
})
