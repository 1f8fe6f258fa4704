// Who is measured: the yardsticks, ours in its forms, and other people's servers, each with the same names.

import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { encodeQuery, queryOf, rrType } from '@kubewire/dns-core'
import { makeCertificate } from '../../test/dns/other-servers.ts'
import { originalBinary } from '../../test/harness/api-server.ts'
import { bundleDaemon } from '../../test/harness/daemon.ts'
import { mustRun, type RunningProgram, startProgram } from '../../test/harness/process.ts'
import { zoneLines } from './objects.ts'
import { pinnedWords } from './pinned.ts'

/** What every subject is given. */
export interface Scene {
  /** Emptied by the caller. */
  readonly dir: string
  readonly kubeconfig: string
  readonly services: number
  /** Cores of the server, as taskset takes them. */
  readonly cores: string
}

/** Where it answers and what is in front of it. */
export interface SubjectOptions {
  readonly port: number
  readonly transport?: 'udp' | 'tcp' | 'dot'
  /** Seconds of the cache plugin; none when absent. */
  readonly cacheSeconds?: number
  readonly workers?: number
}

/** One server to measure. */
export interface Subject {
  readonly name: string
  /** Why it cannot run here. */
  whyNot?(): string | undefined
  start(scene: Scene, options: SubjectOptions): Promise<RunningProgram>
}

const ours = (name: string, ...args: readonly string[]): Subject => ({
  name,
  start: async (scene, options) => {
    const workers = options.workers === undefined ? [] : [`--workers=${options.workers}`]
    const file = writeCorefile(scene, options, name)
    const main = await bundleDaemon('coredns-ts')
    const words = [process.execPath, '--max-semi-space-size=4', main, '-conf', file, '-quiet', ...args, ...workers]
    return started(pinned(scene, words), options, 'team-1.svc.cluster.local.')
  },
})

const echo: Subject = {
  name: 'echo',
  start: async (scene, options) => {
    const { transport = 'udp', port } = options
    const pair = transport === 'dot' ? certificateFiles(scene) : []
    const main = await bundleDaemon(
      transport === 'udp' ? 'bench/dns/echo-udp-process.ts' : 'bench/dns/echo-tcp-process.ts',
    )
    const program = pinned(scene, [process.execPath, main, String(port), ...pair])
    await program.waitUntil(() => program.output().includes('ready'))
    return program
  },
}

const plainEcho: Subject = {
  name: 'C echo',
  whyNot: () => missing('cc'),
  start: async (scene, { port }) => {
    const program = join(scene.dir, 'echo')
    await mustRun({ program: 'cc', args: ['-O2', '-o', program, fileURLToPath(new URL('echo.c', import.meta.url))] })
    const running = pinned(scene, [program, String(port)])
    await running.waitUntil(() => running.output().includes('ready'))
    return running
  },
}

const coredns: Subject = {
  name: 'CoreDNS',
  whyNot: () => reasonOf(() => originalBinary('coredns')),
  start: (scene, options) => {
    const words = [originalBinary('coredns'), '-conf', writeCorefile(scene, options, 'coredns'), '-quiet']
    const program = pinned(scene, words, { GOMAXPROCS: String(options.workers ?? 1) })
    return started(program, options, 'team-1.svc.cluster.local.')
  },
}

const knot: Subject = {
  name: 'Knot',
  whyNot: () => missing('knotd'),
  start: (scene, { port, workers = 1 }) => {
    const dir = join(scene.dir, `knot-${port}`)
    mkdirSync(join(dir, 'run'), { recursive: true })
    writeFileSync(join(dir, 'zone'), [...zoneLines(scene.services)].join('\n'))
    const server = `server:\n  listen: 127.0.0.1@${port}\n  rundir: ${dir}/run\n  udp-workers: ${workers}\n  tcp-workers: 1\n`
    const zones = `database:\n  storage: ${dir}/run\nzone:\n  - domain: cluster.local\n    file: ${dir}/zone\n`
    writeFileSync(join(dir, 'knot.conf'), server + zones)
    return started(pinned(scene, ['knotd', '-c', join(dir, 'knot.conf')]), { port }, 'ns.dns.cluster.local.')
  },
}

const unbound: Subject = {
  name: 'Unbound',
  whyNot: () => missing('unbound'),
  start: (scene, { port, workers = 1 }) => {
    const file = join(scene.dir, `unbound-${port}.conf`)
    const head = ['server:', `interface: 127.0.0.1@${port}`, `num-threads: ${workers}`, 'do-daemonize: no']
    const quiet = ['chroot: ""', 'username: ""', 'pidfile: ""', 'use-syslog: no', `directory: "${scene.dir}"`]
    const data = [...zoneLines(scene.services)].map((line) => `local-data: '${line}'`)
    writeFileSync(file, [...head, ...quiet, 'local-zone: "cluster.local." static', ...data].join('\n'))
    return started(pinned(scene, ['unbound', '-d', '-c', file]), { port }, 'ns.dns.cluster.local.')
  },
}

/** Everyone, in the order of the table. */
export const subjects: readonly Subject[] = [
  echo,
  plainEcho,
  ours('ours, dgram', '--udp-backend=dgram'),
  ours('ours, batched', '--udp-backend=batched'),
  coredns,
  knot,
  unbound,
]

function writeCorefile({ dir, kubeconfig }: Scene, options: SubjectOptions, who: string): string {
  const { port, transport, cacheSeconds } = options
  const file = join(dir, `Corefile-${who.replaceAll(/[^a-z]/gi, '')}-${port}`)
  const [cert, key] = transport === 'dot' ? certificateFiles({ dir }) : []
  const lines = [
    `${transport === 'dot' ? 'tls://' : ''}.:${port} {`,
    '    bind 127.0.0.1',
    ...(cert === undefined ? [] : [`    tls ${cert} ${key}`]),
    `    kubernetes cluster.local in-addr.arpa ip6.arpa {\n        kubeconfig ${kubeconfig}\n        ttl 30\n    }`,
    `    prometheus 127.0.0.1:${port + 1}`,
    ...(cacheSeconds === undefined ? [] : [`    cache ${cacheSeconds}`]),
    '}',
  ]
  writeFileSync(file, lines.join('\n'))
  return file
}

function certificateFiles({ dir }: Pick<Scene, 'dir'>): [string, string] {
  const { cert, key } = makeCertificate()
  writeFileSync(join(dir, 'cert.pem'), cert)
  writeFileSync(join(dir, 'key.pem'), key)
  return [join(dir, 'cert.pem'), join(dir, 'key.pem')]
}

function pinned({ cores }: Scene, words: readonly string[], env: NodeJS.ProcessEnv = {}): RunningProgram {
  const [program = '', ...front] = pinnedWords(cores)
  return startProgram({ program, args: [...front, ...words], env })
}

/** Waits until a name is answered, over UDP or, where that is not served, until it listens for ten seconds at most. */
async function started(
  program: RunningProgram,
  { port, transport = 'udp' }: SubjectOptions,
  name: string,
): Promise<RunningProgram> {
  if (transport === 'dot') await program.waitUntil(() => listens(port), 60_000)
  else await program.waitUntil(() => answers(port, name), 60_000)
  return program
}

function answers(port: number, name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4')
    const end = (value: boolean): void => {
      clearTimeout(timer)
      socket.close()
      resolve(value)
    }
    const timer = setTimeout(() => end(false), 200)
    socket.on('error', () => end(false))
    // SERVFAIL means that the first lists are not in yet.
    socket.on('message', (reply) => end(((reply[3] ?? 2) & 15) !== 2))
    socket.connect(port, '127.0.0.1', () => socket.send(encodeQuery(queryOf(name, rrType.A))))
  })
}

function listens(port: number): boolean {
  return spawnSync('ss', ['-Hltn', `sport = :${port}`], { encoding: 'utf8' }).stdout !== ''
}

function missing(program: string): string | undefined {
  return spawnSync(program, ['--version']).error === undefined ? undefined : `${program} is not installed`
}

function reasonOf(look: () => unknown): string | undefined {
  try {
    look()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
