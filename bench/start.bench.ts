// From the start of a daemon's bundle to its first request to the API server, in a pod's surroundings (service account,
// no kubeconfig), against `node -e 0` in alternation on the same machine. Needs root: it runs in network and mount
// namespaces of its own. `tsx --conditions=@kubewire/source bench/start.bench.ts [rounds]`.

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleEntry, executables } from '../tools/bundle-entry.mjs'

const daemons = {
  'coredns-ts': (dir) => ['-conf', join(dir, 'Corefile')],
  'kube-proxy-ts': () => ['--hostname-override=node-1', '--proxy-mode=iptables'],
  'ingress-ts': (dir) => [`--run-directory=${dir}/run`, '--post-shutdown-grace-period=0'],
} satisfies { readonly [name: string]: (dir: string) => readonly string[] }

type Daemon = keyof typeof daemons
const account = '/var/run/secrets/kubernetes.io/serviceaccount'
const port = 6443

if (process.env['START_BENCH_DIR'] === undefined) await outside()
else await inside(process.env['START_BENCH_DIR'])

/** Bundles, then runs this file again in namespaces of its own. */
async function outside(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'kubewire-start-'))
  try {
    for (const name of Object.keys(daemons) as Daemon[]) {
      const { entry, lua } = executables[name]
      await bundleEntry(entry, join(dir, name), lua)
    }
    const self = fileURLToPath(import.meta.url)
    const words = ['--net', '--mount', process.execPath, ...process.execArgv, self, ...process.argv.slice(2)]
    const { status } = spawnSync('unshare', words, { stdio: 'inherit', env: { ...process.env, START_BENCH_DIR: dir } })
    process.exitCode = status ?? 1
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

async function inside(dir: string): Promise<void> {
  execFileSync('ip', ['link', 'set', 'lo', 'up'])
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', '/var/run'])
  mkdirSync(account, { recursive: true })
  const key = join(dir, 'key')
  const names = ['-subj', '/CN=api.example', '-addext', 'subjectAltName=IP:127.0.0.1']
  const form = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  execFileSync('openssl', [...form, ...names, '-keyout', key, '-out', join(account, 'ca.crt')], { stdio: 'ignore' })
  writeFileSync(join(account, 'token'), 'not-a-secret')
  writeFileSync(join(account, 'namespace'), 'kube-system')
  writeFileSync(join(dir, 'Corefile'), '.:1053 {\n kubernetes cluster.local\n}\n')
  let onRequest = (): void => {}
  const server = createServer({ key: readFileSync(key), cert: readFileSync(join(account, 'ca.crt')) }, (_, reply) => {
    onRequest()
    reply.writeHead(503).end()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const rounds = Number(process.argv[2] ?? '9')
  const seen = new Map<string, number[]>()
  const note = (name: string, ms: number): void => void seen.set(name, [...(seen.get(name) ?? []), ms])
  for (let round = 0; round < rounds; round++) {
    note('node -e 0', timeToEnd())
    for (const [name, words] of Object.entries(daemons)) {
      const first = new Promise<void>((resolve) => {
        onRequest = resolve
      })
      note(name, await timeToRequest([join(dir, name, 'main.js'), ...words(dir)], first))
    }
  }
  report(seen)
  close(server)
}

function timeToEnd(): number {
  const startMs = performance.now()
  spawnSync(process.execPath, ['-e', '0'])
  return performance.now() - startMs
}

async function timeToRequest(words: readonly string[], first: Promise<void>): Promise<number> {
  const pod = { POD_NAME: 'pod-0', POD_NAMESPACE: 'kube-system', NODE_NAME: 'node-1' }
  const env = {
    PATH: process.env['PATH'],
    ...pod,
    KUBERNETES_SERVICE_HOST: '127.0.0.1',
    KUBERNETES_SERVICE_PORT: String(port),
  }
  const startMs = performance.now()
  const child = spawn(process.execPath, [...words], { stdio: 'ignore', env })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const early = ended.then(() => Promise.reject(new Error(`${words[0]} ended before its first request`)))
  await Promise.race([first, early])
  const ms = performance.now() - startMs
  child.kill('SIGKILL')
  await ended
  return ms
}

function report(seen: ReadonlyMap<string, readonly number[]>): void {
  const base = median(seen.get('node -e 0') ?? [])
  for (const [name, all] of seen) {
    const [ms, least] = [median(all), Math.min(...all)]
    console.log(
      `${name}: median ${ms.toFixed(0)} ms, least ${least.toFixed(0)} ms, ${(ms / base).toFixed(2)} of node -e 0`,
    )
  }
}

function median(all: readonly number[]): number {
  return [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN
}

function close(server: Server): void {
  server.close()
  server.closeAllConnections()
}
