// The daemons before anything works: no kubeconfig, no API server, and a signal meanwhile.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleDaemon } from './harness/daemon.ts'
import { createNetns, type Netns, whyNoNetns } from './harness/netns.ts'

const missing = whyNoNetns()
if (missing !== undefined) console.log(`start.kernel.ts is skipped: ${missing}`)

const nobodyListens = `apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: 'http://127.0.0.1:1'}}]
contexts: [{name: c, context: {cluster: c, user: u}}]
users: [{name: u, user: {}}]
current-context: c
`

describe.skipIf(missing !== undefined).each([
  { daemon: 'ingress-ts', words: (dir: string) => [`--run-directory=${dir}/run`, '--post-shutdown-grace-period=0'] },
  { daemon: 'kube-proxy-ts', words: () => ['--hostname-override=node-1', '--proxy-mode=iptables'] },
] as const)('the start of $daemon', ({ daemon, words }) => {
  const dir = mkdtempSync(join(tmpdir(), 'kubewire-start-'))
  let netns: Netns
  let file = ''
  beforeAll(async () => {
    netns = await createNetns('start')
    file = await bundleDaemon(daemon)
    writeFileSync(join(dir, 'nobody'), nobodyListens)
  }, 60_000)
  afterAll(async () => {
    await netns?.close()
    rmSync(dir, { recursive: true, force: true })
  })

  /** Runs until it ends; a line that holds `until` brings SIGTERM. */
  const run = (kubeconfig: string, until?: string): Promise<{ code: number | null; text: string; afterMs: number }> => {
    const args = ['netns', 'exec', netns.name, process.execPath, file, `--kubeconfig=${kubeconfig}`, ...words(dir)]
    const env = { ...process.env, POD_NAME: 'controller-0', POD_NAMESPACE: 'ingress' }
    const child = spawn('ip', args, { stdio: ['ignore', 'ignore', 'pipe'], env })
    let text = ''
    let signalledMs = performance.now()
    child.stderr.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (until === undefined || !text.includes(until) || child.killed) return
      signalledMs = performance.now()
      child.kill('SIGTERM')
    })
    return new Promise((resolve) =>
      child.once('close', (code) => resolve({ code, text, afterMs: performance.now() - signalledMs })),
    )
  }

  it('without kubeconfig says in one line which file is missing', async () => {
    const { code, text } = await run(join(dir, 'absent'))
    expect(text).toContain(`expected a kubeconfig at ${dir}/absent, there is none`)
    expect(text).not.toContain('    at ')
    expect(code).toBe(1)
  }, 20_000)

  it('SIGTERM while there is no API server ends it at once, and without a stack', async () => {
    const { code, text, afterMs } = await run(join(dir, 'nobody'), '127.0.0.1:1')
    expect(text).not.toContain('    at ')
    expect(text).not.toContain('Set sysctl')
    expect(code).toBe(0)
    expect(afterMs).toBeLessThan(5000)
  }, 20_000)
})
