// A server as a process, for one case: files, cluster, start, questions over real sockets. Runs inside a namespace of
// its own, where it may add addresses.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type CaseServer,
  type CaseServerBench,
  type DnsCase,
  type DnsCaseQuery,
  fillCorefile,
  questionBytes,
  readReply,
} from '@kubewire/dns-core/cases'
import { askOverTcp, askOverUdp } from './ask.ts'
import { type CaseCluster, createMiniCluster, createRealCluster } from './case-cluster.ts'

/** What the part outside hands over. */
export interface InsideOptions {
  /** Program and arguments in front of `-conf`. */
  readonly program: readonly string[]
  /** The real API server; ours in this process when absent. */
  readonly api?: { readonly url: string; readonly kubeconfig: string }
}

const ports = { port: 5300, port2: 5399 }
const startLimitMs = 20_000

/** A bench that starts a process for every case. */
export async function processBench(options: InsideOptions): Promise<CaseServerBench> {
  // Any address of these ranges may be bound here without being on an interface (AnyIP): sources of questions.
  for (const range of ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '198.51.100.0/24', '203.0.113.0/24']) {
    execFileSync('ip', ['route', 'add', 'local', range, 'dev', 'lo'])
  }
  writeFileSync('/proc/sys/net/ipv6/ip_nonlocal_bind', '1')
  for (const range of ['fd00::/8', '2001:db8::/32'])
    execFileSync('ip', ['-6', 'route', 'add', 'local', range, 'dev', 'lo'])
  return {
    live: { nowMs: Date.now, pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) },
    start: (scenario) => startProcess(options, scenario),
    close: async () => {},
  }
}

async function startProcess(options: InsideOptions, scenario: DnsCase): Promise<CaseServer> {
  const dir = mkdtempSync(join(tmpdir(), 'kwtest-dns-'))
  const kubeconfig = join(dir, 'kubeconfig')
  const cluster: CaseCluster | undefined = scenario.noApiServer
    ? undefined
    : options.api === undefined
      ? await createMiniCluster(kubeconfig)
      : await createRealCluster(options.api, kubeconfig)
  for (const address of scenario.serverAddresses) changeAddress('add', address)
  let child: ChildProcess | undefined
  const close = async (): Promise<void> => {
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child?.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    }
    for (const address of scenario.serverAddresses) changeAddress('del', address)
    await cluster?.close()
    rmSync(dir, { recursive: true, force: true })
  }
  try {
    await cluster?.apply(scenario.cluster)
    mkdirSync(join(dir, 'files'))
    for (const [name, text] of Object.entries(scenario.files)) writeFileSync(join(dir, 'files', name), text)
    const corefile = join(dir, 'files', 'Corefile')
    writeFileSync(corefile, fillCorefile(scenario.corefile, { ...ports, kubeconfig, dir: join(dir, 'files') }))
    child = await startServer([...options.program, '-conf', corefile], scenario.env)
  } catch (error) {
    await close()
    throw error
  }
  return {
    ask,
    async change(step) {
      await cluster?.remove(step.delete ?? [])
      await cluster?.apply(step.apply ?? [])
    },
    close,
  }
}

/** Starts the program and waits for the version line, which both print when they listen. */
function startServer(command: readonly string[], env: DnsCase['env']): Promise<ChildProcess> {
  const [program = '', ...args] = command
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void => {
      child.kill('SIGKILL')
      reject(new Error(`${reason}\n${output.slice(-3000)}`))
    }
    const timer = setTimeout(() => fail('not started in time'), startLimitMs)
    const look = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-20_000)
      if (!/^CoreDNS-/m.test(output)) return
      clearTimeout(timer)
      resolve(child)
    }
    child.stdout.on('data', look)
    child.stderr.on('data', look)
    child.once('error', (error) => fail(error.message))
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`ended with status ${code}\n${output.slice(-3000)}`))
    })
  })
}

let nextId = 1

async function ask(query: DnsCaseQuery): ReturnType<CaseServer['ask']> {
  nextId = (nextId + 1) % 65_536
  const bytes = questionBytes(query, nextId)
  const source = query.client
  const target = { address: source?.includes(':') ? '::1' : '127.0.0.1', port: ports.port }
  const isTransfer = /\s(?:AXFR|IXFR)(?:\s|$)/i.test(query.q)
  const messages =
    query.transport === 'tcp'
      ? await askOverTcp(bytes, target, source, isTransfer)
      : await askOverUdp(bytes, target, source)
  return messages.length === 0 ? undefined : readReply(messages)
}

function changeAddress(verb: 'add' | 'del', address: string): void {
  const isIpv6 = address.includes(':')
  execFileSync('ip', [
    'addr',
    verb,
    `${address}/${isIpv6 ? 128 : 32}`,
    'dev',
    'lo',
    ...(isIpv6 && verb === 'add' ? ['nodad'] : []),
  ])
}
