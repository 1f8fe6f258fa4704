// The real kube-apiserver with etcd as the server under faults, on loopback, needing no rights: killed, restarted,
// compacted and wiped on demand. Built by `pnpm originals`.

import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request as requestHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ConfigMap } from '@kubewire/kube-model'
import { namespace, pause, type ServerUnderFaults } from './world.ts'

const bin = join(dirname(dirname(fileURLToPath(import.meta.url))), 'originals/bin')
const token = 'faults-admin'

/** Why the real server cannot be run here; `undefined` when it can. */
export const noRealServer: string | undefined = existsSync(join(bin, 'kube-apiserver'))
  ? undefined
  : 'kube-apiserver is not built: run pnpm originals'

/** The server and what can be done to it. */
export interface RealServer extends ServerUnderFaults {
  /** Kills the API server; etcd lives on. */
  killApi(): Promise<void>
  startApi(): Promise<void>
  /** Makes etcd forget everything before now. */
  compact(): Promise<void>
  /** Kills both, empties etcd, and starts them: versions begin anew. */
  wipe(): Promise<void>
  close(): Promise<void>
}

/** Starts etcd and kube-apiserver; about five seconds. */
export async function startRealServer(): Promise<RealServer> {
  const directory = mkdtempSync(join(tmpdir(), 'kw-informer-'))
  const [etcdPort, peerPort, apiPort] = [await freePort(), await freePort(), await freePort()]
  const etcdUrl = `http://127.0.0.1:${etcdPort}`
  const peerUrl = `http://127.0.0.1:${peerPort}`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  writeFileSync(join(directory, 'sa.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }))
  writeFileSync(join(directory, 'tokens.csv'), `${token},admin,1,"system:masters"\n`)
  let etcd: ChildProcess | undefined
  let api: ChildProcess | undefined

  const startEtcd = (): void => {
    etcd = start('server', [
      ...['--data-dir', join(directory, 'etcd'), '--unsafe-no-fsync', '--log-level', 'error'],
      ...['--listen-client-urls', etcdUrl, '--advertise-client-urls', etcdUrl],
      ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
      ...['--initial-cluster', `default=${peerUrl}`],
    ])
  }
  const ask = (
    method: string,
    path: string,
    body?: object,
  ): Promise<{ readonly status: number; readonly body: unknown }> => askApi(apiPort, method, path, body)
  const collection = `/api/v1/namespaces/${namespace}/configmaps`

  const server: RealServer = {
    url: `https://127.0.0.1:${apiPort}`,
    token,
    write: async (name, value) => {
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, data: { value } }
      const { status } = await ask('PUT', `${collection}/${name}`, object)
      if (status === 404) await ask('POST', collection, object)
    },
    remove: async (name) => {
      await ask('DELETE', `${collection}/${name}`)
    },
    list: async () => ((await ask('GET', collection)).body as { items: ConfigMap[] }).items,
    killApi: () => kill(api),
    startApi: async () => {
      api = start('kube-apiserver', [
        ...['--etcd-servers', etcdUrl, '--secure-port', String(apiPort), '--bind-address', '127.0.0.1'],
        ...['--endpoint-reconciler-type', 'none', '--cert-dir', join(directory, 'certs')],
        ...['--token-auth-file', join(directory, 'tokens.csv'), '--authorization-mode', 'RBAC'],
        ...[
          '--service-account-key-file',
          join(directory, 'sa.key'),
          '--service-account-signing-key-file',
          join(directory, 'sa.key'),
        ],
        ...['--service-account-issuer', 'https://kubernetes.default.svc', '--service-cluster-ip-range', '10.96.0.0/16'],
      ])
      for (let tries = 0; tries < 300; tries++) {
        const ready = await ask('GET', '/readyz').catch(() => undefined)
        if (ready?.status === 200) {
          // 409 when it is there already.
          await ask('POST', '/api/v1/namespaces', {
            apiVersion: 'v1',
            kind: 'Namespace',
            metadata: { name: namespace },
          })
          return
        }
        await pause(200)
      }
      throw new Error('kube-apiserver did not become ready within a minute')
    },
    compact: async () => {
      const post = async (path: string, body: object): Promise<{ header?: { revision?: string } }> =>
        (await fetch(`${etcdUrl}${path}`, { method: 'POST', body: JSON.stringify(body) })).json() as never
      const { header } = await post('/v3/kv/range', { key: Buffer.from('/').toString('base64') })
      await post('/v3/kv/compaction', { revision: header?.revision, physical: true })
    },
    wipe: async () => {
      await kill(api)
      await kill(etcd)
      rmSync(join(directory, 'etcd'), { recursive: true, force: true })
      startEtcd()
      await server.startApi()
    },
    close: async () => {
      await kill(api)
      await kill(etcd)
      rmSync(directory, { recursive: true, force: true })
    },
  }
  startEtcd()
  try {
    await server.startApi()
  } catch (error) {
    await server.close()
    throw error
  }
  return server
}

function start(program: string, args: readonly string[]): ChildProcess {
  return spawn(join(bin, program), [...args], { stdio: 'ignore' })
}

async function kill(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

function askApi(
  port: number,
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly body: unknown }> {
  return new Promise((resolve, reject) => {
    const request = requestHttps(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent: false,
        rejectUnauthorized: false,
        timeout: 10_000,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
        })
        response.on('error', reject)
        response.on('end', () => {
          const isJson = response.headers['content-type']?.includes('json')
          resolve({ status: response.statusCode ?? 0, body: isJson ? JSON.parse(text) : text })
        })
      },
    )
    request.on('timeout', () => request.destroy(new Error('no answer in 10 s')))
    request.on('error', reject)
    request.end(body && JSON.stringify(body))
  })
}
