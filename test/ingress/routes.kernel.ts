// Random clusters on two real nginx, one with a server for each host and one with hosts as data: both give the same
// answer, and it is the one that the simulators say.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { snapshotOf } from '@kubewire/kube-model'
import {
  backendTexts,
  type ConfigTree,
  kubewireLua,
  lookupIn,
  type Model,
  printConfig,
  renderConfig,
  renderRouted,
  simulateRequest,
  translateIngresses,
} from '@kubewire/nginx-gen'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDaemon } from '../harness/daemon.ts'
import { startEchoServer } from '../harness/echo-process.ts'
import { createNetns, type Netns, whyNoNetns } from '../harness/netns.ts'
import type { RunningProgram } from '../harness/process.ts'
import type { WorldAnswer } from './asker.ts'
import { createRandom, randomObjects, randomRequests, type WorldRequest, worldBackends } from './random-world.ts'

const missing = whyNoNetns()
if (missing !== undefined) console.log(`routes.kernel.ts is skipped: ${missing}`)

const seeds = Array.from({ length: Number(process.env['ROUTES_WORLDS'] ?? 8) }, (_, at) => 1000 + at)
const luaDir = join(dirname(fileURLToPath(import.meta.url)), '../../packages/nginx-gen/src/lua')

describe.skipIf(missing !== undefined)('hosts as data and hosts as servers on a real nginx', () => {
  const worlds: NginxWorld[] = []
  beforeAll(async () => {
    for (const name of ['servers', 'data']) worlds.push(await openWorld(name))
  })
  afterAll(async () => {
    for (const world of worlds) await world.close()
  })

  it.each(seeds)('answer the same in world %i', async (seed) => {
    const random = createRandom(seed)
    const { value: model } = translateIngresses(snapshotOf(randomObjects(random)), { watchWithoutClass: true })
    const requests = randomRequests(random, 80)
    const [servers, data] = worlds as [NginxWorld, NginxWorld]
    const routed = renderRouted(model, data.paths)
    const asServers = await servers.ask(renderConfig(model, servers.paths), model, {}, requests)
    const asData = await data.ask(routed.tree, model, routed.table, requests)
    const context = JSON.stringify(
      model.servers.map(({ host, locations }) => [host, locations.map((one) => one.route)]),
    )
    for (const [at, asked] of requests.entries()) {
      const facts = `${JSON.stringify(asked)} in ${context}`
      expect(asData[at], facts).toEqual(asServers[at])
      const simulated = simulate(routed.tree, model, lookupIn(routed.table), asked)
      if (simulated !== undefined) expect(statusOf(asData[at]), facts).toBe(simulated)
    }
  })
})

interface NginxWorld {
  readonly paths: { readonly [name: string]: string }
  ask(
    tree: ConfigTree,
    model: Model,
    routes: { readonly [host: string]: string },
    requests: readonly WorldRequest[],
  ): Promise<readonly WorldAnswer[]>
  close(): Promise<void>
}

async function openWorld(name: string): Promise<NginxWorld> {
  const netns = await createNetns(name)
  const dir = mkdtempSync(join(tmpdir(), 'kw-world-'))
  const addresses = Object.entries(worldBackends).flatMap(([backend, address]) =>
    address ? [{ backend, address }] : [],
  )
  await netns.addAddresses(addresses.map(({ address }) => address))
  const echo = await startEchoServer(
    netns,
    addresses.map(({ backend, address }) => ({ name: backend, protocol: 'http', address, port: 8080 })),
  )
  for (const folder of ['files', 'temp', 'control']) mkdirSync(join(dir, folder))
  await makePair(netns, join(dir, 'pair.pem'))
  const asker = await startDaemon({ daemon: 'test/ingress/asker.ts', netns })
  const paths = {
    ...{ luaDir, filesDir: join(dir, 'files'), tempDir: join(dir, 'temp'), streamDir: join(dir, 'control') },
    ...{ pidFile: join(dir, 'nginx.pid'), controlSocket: join(dir, 'control/ctl.sock'), user: 'root' },
    ...{
      defaultCertificate: join(dir, 'pair.pem'),
      accessLog: join(dir, 'access.log'),
      errorLog: join(dir, 'error.log'),
    },
  }
  return {
    paths,
    ask: async (tree, model, routes, requests) => {
      writeFileSync(join(dir, 'nginx.conf'), printConfig(tree))
      const nginx = await startNginx(netns, dir)
      await push(paths.controlSocket, '/configuration/routes', { whole: true, hosts: routes })
      await push(paths.controlSocket, '/configuration/backends', {
        whole: true,
        backends: backendTexts(model.backends),
      })
      const answer = new Promise<string>((resolve) => asker.onLine(resolve))
      asker.write(`${JSON.stringify(requests)}\n`)
      const line = await Promise.race([answer, asker.ended.then(() => undefined)])
      if (line === undefined) throw new Error(`the asker ended: ${asker.output().slice(-2000)}`)
      const answers = JSON.parse(line) as readonly WorldAnswer[]
      await nginx.stop('SIGTERM')
      return answers
    },
    close: async () => {
      await asker.stop()
      await echo.close()
      await netns.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

async function startNginx(netns: Netns, dir: string): Promise<RunningProgram> {
  rmSync(join(dir, 'control/ctl.sock'), { force: true })
  const args = ['-p', dir, '-c', join(dir, 'nginx.conf'), '-e', 'stderr', '-g', 'daemon off;']
  const nginx = netns.start({ program: 'nginx', args })
  await nginx.waitUntil(async () => (await netns.run('curl', ['-s', '-o', '/dev/null', '127.0.0.1'])).exitCode === 0)
  return nginx
}

async function makePair(netns: Netns, file: string): Promise<void> {
  const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=test']
  await netns.mustRun('openssl', [...words, '-keyout', `${file}.key`, '-out', `${file}.crt`])
  await netns.mustRun('sh', ['-c', 'cat "$0.crt" "$0.key" > "$0"', file])
}

function push(socketPath: string, path: string, body: object): Promise<void> {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body)
    const headers = { host: 'control', 'content-length': Buffer.byteLength(text) }
    const sent = request({ socketPath, method: 'POST', path, headers, agent: false }, (answer) => {
      answer.resume()
      if (answer.statusCode === 201) resolve()
      else reject(new Error(`nginx answered ${answer.statusCode} to ${path}`))
    })
    sent.on('error', reject)
    sent.end(text)
  })
}

// What the simulator of the tree says, with the router's twin: a status, or the backend that is asked.
function simulate(
  tree: ConfigTree,
  model: Model,
  routes: ReturnType<typeof lookupIn>,
  { host, path, method, headers, bodySize }: WorldRequest,
): string | undefined {
  const counts = new Map(model.backends.map(({ name, endpoints }) => [name, endpoints.length]))
  const lua = kubewireLua({
    hasCertificate: (name) => Object.hasOwn(model.tls.hosts, name),
    endpointCount: (name) => counts.get(name),
    routes,
  })
  if (bodySize > 0) return undefined
  const { outcome } = simulateRequest(tree, { host, path, method, headers }, { lua })
  if (outcome.kind === 'answer') return `${outcome.status} ${outcome.location ?? ''}`
  const backend = /^shop-(tea|milk)-80$/.exec(outcome.kind === 'proxy' ? outcome.upstream : '')?.[1]
  return backend === undefined || outcome.kind !== 'proxy' ? undefined : `${backend} ${outcome.path}`
}

function statusOf(answer: WorldAnswer | undefined): string {
  if (answer?.seen !== undefined) return `${answer.seen.name} ${answer.seen.path}`
  return `${answer?.status} ${answer?.headers['location'] ?? ''}`
}
