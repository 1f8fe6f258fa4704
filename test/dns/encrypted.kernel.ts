// Listeners for DNS over TLS and over HTTPS, asked by dig and by HTTP/1.1.

import { once } from 'node:events'
import { request } from 'node:https'
import { connect } from 'node:tls'
import { decodeMessage, encodeQuery, printRecord, queryOf } from '@kubewire/dns-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runProgram } from '../harness/process.ts'
import { type DaemonWorld, startDaemonWorld } from './daemon-world.ts'
import { frame, readIds } from './frames.ts'
import { makeCertificate, whyNoOtherServers } from './other-servers.ts'

const reason = whyNoOtherServers()

describe.skipIf(reason !== undefined)('a daemon with encrypted listeners', () => {
  let world: DaemonWorld
  const [tls, https, metrics] = [0, 1, 2] as const
  const portOf = (which: number): number => world.others[which] ?? 0
  beforeAll(async () => {
    const { cert, key } = makeCertificate()
    const body = `{
  tls {{dir}}/cert {{dir}}/key
  prometheus 127.0.0.1:{{other2}}
  hosts {
    192.0.2.7 a.example
  }
}`
    world = await startDaemonWorld(
      `.:{{port}} {\n whoami\n}\ntls://.:{{other0}} ${body}\nhttps://.:{{other1}} ${body}\n`,
      { files: { cert, key } },
    )
  })
  afterAll(() => world?.close())

  const dig = async (...words: readonly string[]): Promise<string> => {
    const args = ['@127.0.0.1', '+short', '+tries=1', '+time=3', '+tls-hostname=dns.example', ...words]
    return (await runProgram({ program: 'dig', args })).stdout.trim()
  }
  const viaHttp1 = (path: string, body?: Uint8Array): Promise<{ status: number; bytes: Buffer; type: string }> =>
    new Promise((resolve, reject) => {
      const asked = request({
        host: '127.0.0.1',
        port: portOf(https),
        path,
        method: body === undefined ? 'GET' : 'POST',
        rejectUnauthorized: false,
        headers: body === undefined ? {} : { 'content-type': 'application/dns-message' },
      })
      asked.on('error', reject)
      asked.on('response', (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            bytes: Buffer.concat(chunks),
            type: response.headers['content-type'] ?? '',
          }),
        )
      })
      asked.end(body)
    })

  it('answers over TLS', async () => {
    const seen = await dig('-p', String(portOf(tls)), '+tls', `+tls-ca=${world.dir}/cert`, 'a.example')
    expect(seen).toBe('192.0.2.7')
  })

  it('answers several questions of one TLS connection', async () => {
    const socket = connect({ host: '127.0.0.1', port: portOf(tls), rejectUnauthorized: false, ALPNProtocols: ['dot'] })
    await once(socket, 'secureConnect')
    socket.write(Buffer.concat([1, 2, 3].map((id) => frame(encodeQuery(queryOf('a.example.', 1, { id }))))))
    expect(await readIds(socket, 3)).toEqual([1, 2, 3])
    socket.destroy()
  })

  it.each(['+https', '+https-get'])('answers over HTTP/2 with %s', async (how) => {
    const seen = await dig('-p', String(portOf(https)), how, `+tls-ca=${world.dir}/cert`, 'a.example')
    expect(seen).toBe('192.0.2.7')
  })

  it('answers GET and POST over HTTP/1.1', async () => {
    const query = encodeQuery(queryOf('a.example.', 1, { id: 0 }))
    const text = Buffer.from(query).toString('base64url')
    for (const reply of [await viaHttp1(`/dns-query?dns=${text}`), await viaHttp1('/dns-query', query)]) {
      const records = decodeMessage(reply.bytes)?.answer.map((record) => printRecord(record))
      expect([reply.status, reply.type, records]).toEqual([
        200,
        'application/dns-message',
        ['a.example. 3600 IN A 192.0.2.7'],
      ])
    }
  })

  it.each([
    ['another path', '/', undefined, 404],
    ['no question', '/dns-query', undefined, 400],
    ['a question that is too large', '/dns-query', new Uint8Array(70_000), 400],
  ])('refuses %s', async (_name, path, body, status) => {
    expect((await viaHttp1(path, body)).status).toBe(status)
  })

  it('counts replies of HTTPS by status', async () => {
    const { body } = await world.get(portOf(metrics), '/metrics')
    expect(body).toMatch(/^coredns_dns_https_responses_total\{server="https:\/\/:[0-9]+",status="200"\} [1-9]/m)
  })
})
