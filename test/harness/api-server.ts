// A real API server for tests: etcd and kube-apiserver from `test/originals/bin`, inside a namespace, with tokens instead
// of certificates. The process of the test reaches it through a forwarder. About four seconds to start.

import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startForwarder } from './forwarder.ts'
import type { Netns } from './netns.ts'

/** What a request to an API server gave; `body` is parsed if it is JSON. */
export interface ApiAnswer {
  readonly status: number
  readonly body: unknown
}

/** A running API server. */
export interface RealApiServer {
  /** For processes in its namespace. */
  readonly url: string
  /** A file for processes in its namespace: the administrator. */
  readonly kubeconfig: string
  /** The same server for processes of any namespace. */
  readonly socketPath: string
  /** etcd, inside the namespace, for whoever wants to compact. */
  readonly etcdUrl: string
  /** Asks from the process of the test. `as` is a token: `admin`, `plain`, or any unknown one. */
  request(
    method: string,
    path: string,
    more?: { body?: unknown; contentType?: string; as?: string },
  ): Promise<ApiAnswer>
  close(): Promise<void>
}

const bin = join(dirname(dirname(fileURLToPath(import.meta.url))), 'originals/bin')

/** The path of an original, or an Error that says how to get it. */
export function originalBinary(
  name: 'coredns' | 'helm' | 'kube-apiserver' | 'kube-proxy' | 'kubectl' | 'server',
): string {
  const path = join(bin, name)
  if (!existsSync(path)) throw new Error(`${name} is not built: run pnpm originals (Go 1.26, about ten minutes once)`)
  return path
}

/** Starts etcd and kube-apiserver 1.37 inside a namespace, on 127.0.0.1:6443. */
export async function startRealApiServer(netns: Netns): Promise<RealApiServer> {
  const [etcdBinary, apiBinary] = [originalBinary('server'), originalBinary('kube-apiserver')]
  const dir = mkdtempSync(join(tmpdir(), 'kwtest-api-'))
  const etcdUrl = 'http://127.0.0.1:2379'
  const peerUrl = 'http://127.0.0.1:2380'
  writeCredentials(dir)
  const etcd = netns.start({
    program: etcdBinary,
    args: [
      ...['--data-dir', join(dir, 'etcd'), '--unsafe-no-fsync', '--log-level', 'error'],
      ...['--listen-client-urls', etcdUrl, '--advertise-client-urls', etcdUrl],
      ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
      ...['--initial-cluster', `default=${peerUrl}`],
    ],
  })
  const api = netns.start({
    program: apiBinary,
    args: [
      ...['--etcd-servers', etcdUrl, '--secure-port', '6443', '--bind-address', '127.0.0.1'],
      ...['--advertise-address', '192.0.2.10', '--endpoint-reconciler-type', 'none'],
      ...['--cert-dir', join(dir, 'certs'), '--token-auth-file', join(dir, 'tokens.csv')],
      ...['--authorization-mode', 'RBAC', '--disable-admission-plugins', 'ServiceAccount'],
      ...['--service-account-key-file', join(dir, 'sa.key'), '--service-account-signing-key-file', join(dir, 'sa.key')],
      ...['--service-account-issuer', 'https://kubernetes.default.svc'],
      ...['--service-cluster-ip-range', '10.96.0.0/12,fd00:10:96::/112'],
    ],
  })
  const socketPath = join(dir, 'api.sock')
  const forwarder = await startForwarder(netns, socketPath, '127.0.0.1:6443')
  const request: RealApiServer['request'] = (method, path, more = {}) => askApi(socketPath, method, path, more)
  const close = async (): Promise<void> => {
    await forwarder.close()
    await api.stop('SIGKILL')
    await etcd.stop('SIGKILL')
    rmSync(dir, { recursive: true, force: true })
  }
  try {
    await api.waitUntil(async () => (await request('GET', '/readyz').catch(() => undefined))?.status === 200, 60_000)
  } catch (error) {
    await close()
    throw error
  }
  return { url: 'https://127.0.0.1:6443', kubeconfig: join(dir, 'kubeconfig'), socketPath, etcdUrl, request, close }
}

/** Tokens, the key that service account tokens would be signed with, and a kubeconfig. */
function writeCredentials(dir: string): void {
  writeFileSync(join(dir, 'tokens.csv'), 'admin,admin,admin,"system:masters"\nplain,plain,plain\n')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  writeFileSync(join(dir, 'sa.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }))
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'admin' } }],
    clusters: [{ name: 'test', cluster: { server: 'https://127.0.0.1:6443', 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'admin', user: { token: 'admin' } }],
  }
  writeFileSync(join(dir, 'kubeconfig'), JSON.stringify(kubeconfig))
}

function askApi(
  socketPath: string,
  method: string,
  path: string,
  { body, contentType = 'application/json', as = 'admin' }: { body?: unknown; contentType?: string; as?: string },
): Promise<ApiAnswer> {
  return new Promise((resolve, reject) => {
    const request = https.request({
      socketPath,
      method,
      path,
      rejectUnauthorized: false,
      headers: {
        authorization: `Bearer ${as}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': contentType }),
      },
      timeout: 30_000,
    })
    request.on('timeout', () => request.destroy(new Error(`${method} ${path}: no answer in 30 s`)))
    request.on('error', reject)
    request.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: parseBody(text) }))
    })
    request.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body))
  })
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
