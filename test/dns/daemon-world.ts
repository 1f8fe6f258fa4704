// A coredns-ts process in this machine's own namespace on free ports of the loopback, beside a small API server, for
// tests of what the daemon does apart from its answers.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeQuery, type Query, queryOf, typeNumber } from '@kubewire/dns-core'
import { readReply, type SeenReply } from '@kubewire/dns-core/cases'
import { createMiniApiServer, type MiniApiServer } from '@kubewire/mini-apiserver'
import { askOverTcp, askOverUdp } from '../conformance/dns/ask.ts'
import { startDaemon } from '../harness/daemon.ts'
import type { RunningProgram } from '../harness/process.ts'

/** One running daemon. */
export interface DaemonWorld {
  readonly api: MiniApiServer
  readonly dir: string
  readonly port: number
  /** Free ports for whatever a Corefile opens beside DNS. */
  readonly others: readonly number[]
  readonly daemon: RunningProgram
  writeCorefile(text: string): void
  ask(question: string, transport?: 'udp' | 'tcp', extra?: Partial<Query>): Promise<SeenReply | undefined>
  get(port: number, path: string): Promise<{ readonly status: number; readonly body: string }>
  close(): Promise<void>
}

/** Starts a daemon. `{{port}}`, `{{other0}}`…, `{{kubeconfig}}` and `{{dir}}` of the Corefile are filled in. */
export async function startDaemonWorld(
  corefile: string,
  options: {
    readonly files?: { readonly [name: string]: string }
    readonly prepare?: (api: MiniApiServer) => void
    /** Further flags. */
    readonly args?: readonly string[]
    readonly env?: Readonly<Record<string, string | undefined>>
  } = {},
): Promise<DaemonWorld> {
  const dir = mkdtempSync(join(tmpdir(), 'kwtest-daemon-'))
  const api = await createMiniApiServer({ isPlainHttp: true, runsEndpointSlices: false })
  options.prepare?.(api)
  const [port = 0, ...others] = await freePorts(8)
  const kubeconfig = join(dir, 'kubeconfig')
  writeFileSync(kubeconfig, api.kubeconfig())
  mkdirSync(join(dir, 'conf'))
  for (const [name, text] of Object.entries(options.files ?? {})) writeFileSync(join(dir, 'conf', name), text)
  const writeCorefile = (text: string): void => {
    const filled = text
      .replaceAll('{{port}}', String(port))
      .replaceAll(/\{\{other([0-9])\}\}/g, (_, i: string) => String(others[Number(i)]))
      .replaceAll('{{kubeconfig}}', kubeconfig)
      .replaceAll('{{dir}}', join(dir, 'conf'))
    writeFileSync(join(dir, 'conf', 'Corefile'), filled)
  }
  writeCorefile(corefile)
  const daemon = await startDaemon({
    daemon: 'coredns-ts',
    args: ['-conf', join(dir, 'conf', 'Corefile'), ...(options.args ?? [])],
    ...(options.env === undefined ? {} : { env: options.env }),
    isReady: ({ output }) => output().includes('CoreDNS-'),
  }).catch(async (error: unknown) => {
    await api.close()
    rmSync(dir, { recursive: true, force: true })
    throw error
  })
  let id = 0
  return {
    api,
    dir: join(dir, 'conf'),
    port,
    others,
    daemon,
    writeCorefile,
    async ask(question, transport = 'udp', extra = {}) {
      const [name = '', type = 'A'] = question.split(' ')
      const bytes = encodeQuery(queryOf(name, typeNumber(type) ?? 1, { ...extra, id: ++id }))
      const target = { address: '127.0.0.1', port }
      const messages =
        transport === 'udp' ? await askOverUdp(bytes, target) : await askOverTcp(bytes, target, undefined, false)
      return messages.length === 0 ? undefined : readReply(messages)
    },
    async get(otherPort, path) {
      const response = await fetch(`http://127.0.0.1:${otherPort}${path}`)
      return { status: response.status, body: await response.text() }
    },
    async close() {
      await daemon.stop('SIGKILL')
      await api.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** Ports below the range of outgoing connections that nothing listens on right now. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < count) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, () => resolve(true))
    })
    if (!isFree) continue
    await new Promise<void>((resolve) => server.close(() => resolve()))
    if (!ports.includes(port)) ports.push(port)
  }
  return ports
}

/** Asks again until it holds, for at most ten seconds unless told otherwise; the last reply. */
export async function eventually<T>(
  look: () => Promise<T>,
  holds: (value: T) => boolean,
  limitMs = 10_000,
): Promise<T> {
  const endMs = Date.now() + limitMs
  for (;;) {
    const value = await look()
    if (holds(value) || Date.now() > endMs) return value
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
