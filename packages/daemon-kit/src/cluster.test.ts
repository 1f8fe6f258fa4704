import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectCluster } from './cluster.ts'

let folder = ''
let server: Server
let url = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubewire-'))
  server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ url: request.url, token: request.headers.authorization }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true })
})

function kubeconfig(address: string): string {
  const parts = ['one', 'two'].map((name) => ({
    cluster: { name, cluster: { server: address } },
    user: { name, user: { token: `token-${name}` } },
    context: { name, context: { cluster: name, user: name } },
  }))
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'one',
    clusters: parts.map((part) => part.cluster),
    users: parts.map((part) => part.user),
    contexts: parts.map((part) => part.context),
  })
}

test('the kubeconfig, its context and the server flag decide whom we talk to and as whom', async () => {
  const path = join(folder, 'config')
  await writeFile(path, kubeconfig(url))
  const elsewhere = join(folder, 'elsewhere')
  await writeFile(elsewhere, kubeconfig('http://192.0.2.1:1'))
  for (const [options, token] of [
    [{ kubeconfig: path }, 'Bearer token-one'],
    [{ kubeconfig: path, context: 'two' }, 'Bearer token-two'],
    [{ kubeconfig: elsewhere, server: url }, 'Bearer token-one'],
    [{ server: url }, undefined],
  ] as const) {
    const cluster = await connectCluster(options)
    expect(await cluster.request({ method: 'GET', path: '/version' })).toEqual({ url: '/version', token })
    await cluster.close()
  }
})

test('a kubeconfig that is not there is said at once', async () => {
  await expect(connectCluster({ kubeconfig: join(folder, 'nope') })).rejects.toMatchObject({ code: 'INF_CONNECT' })
})
