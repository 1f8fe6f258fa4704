// The daemons as in a pod, with a service account and no kubeconfig: they reach for the API server without ever loading
// client-node, whose part of the bundle is replaced by one that throws.

import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { bundleEntry, executables } from '../tools/bundle-entry.mjs'
import { createNetns, whyNoNetns } from './harness/netns.ts'

const missing = whyNoNetns()
if (missing !== undefined) console.log(`start-in-pod.kernel.ts is skipped: ${missing}`)

const dir = mkdtempSync(join(tmpdir(), 'kubewire-pod-'))
const tries = 'ECONNREFUSED 127.0.0.1:1'
const poison = 'client-node was loaded'
const inPod = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: '1', POD_NAME: 'p', POD_NAMESPACE: 'ns' }
/** Logs in with a plugin of old that only client-node knows. */
const rareLogin = `apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: 'https://127.0.0.1:1'}}]
contexts: [{name: c, context: {cluster: c, user: u}}]
users: [{name: u, user: {auth-provider: {name: oidc, config: {}}}}]
current-context: c
`

describe.skipIf(missing !== undefined).each([
  { daemon: 'coredns-ts', words: ['-conf', join(dir, 'Corefile')] },
  { daemon: 'kube-proxy-ts', words: ['--hostname-override=node-1', '--proxy-mode=iptables'] },
  { daemon: 'ingress-ts', words: [`--run-directory=${dir}/run`] },
] as const)('$daemon in a pod', ({ daemon, words }) => {
  afterAll(() => rmSync(join(dir, daemon), { recursive: true, force: true }))

  /** Runs until its output holds one of the texts, for at most 15 seconds; the output. */
  const run = async (env: NodeJS.ProcessEnv, more: readonly string[] = []): Promise<string> => {
    const netns = await createNetns('pod')
    const account = '/var/run/secrets/kubernetes.io/serviceaccount'
    const prepare = `mount -t tmpfs tmpfs /var/run && mkdir -p ${account} && cp ${dir}/account/* ${account} && exec "$@"`
    const program = ['unshare', '--mount', 'sh', '-ec', prepare, 'sh', process.execPath, join(dir, daemon, 'main.js')]
    const args = ['netns', 'exec', netns.name, ...program, ...words, ...more]
    const child = spawn('ip', args, { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env['PATH'], ...env } })
    let text = ''
    const limit = setTimeout(() => child.kill('SIGKILL'), 15_000)
    const read = (chunk: Buffer): void => {
      text += chunk.toString()
      if (text.includes(tries) || text.includes(poison)) child.kill('SIGKILL')
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    await new Promise((resolve) => child.once('close', resolve))
    clearTimeout(limit)
    await netns.close()
    return text
  }

  it('reaches for the API server without client-node', { timeout: 60_000 }, async () => {
    const { entry, lua } = executables[daemon]
    await bundleEntry(entry, join(dir, daemon), lua)
    mkdirSync(join(dir, 'account'), { recursive: true })
    for (const file of ['token', 'ca.crt', 'namespace']) writeFileSync(join(dir, 'account', file), 'ns')
    writeFileSync(join(dir, 'Corefile'), '.:1053 {\n kubernetes cluster.local {\n  startup_timeout 1s\n }\n}\n')
    const chunks = join(dir, daemon, 'chunks')
    const poisoned = readdirSync(chunks)
      .filter((file) => file.endsWith('.js'))
      .map((file) => join(chunks, file))
      .filter((file) => readFileSync(file, 'utf8').includes('AdmissionregistrationV1Api'))
    expect(poisoned.length).toBeGreaterThan(0)
    for (const file of poisoned) writeFileSync(file, `throw new Error('${poison}')\n`)
    const text = await run(inPod)
    expect(text).toContain(tries)
    expect(text).not.toContain(poison)
  })

  it('would be noticed if it did', { timeout: 30_000 }, async () => {
    writeFileSync(join(dir, 'rare'), rareLogin)
    const corefile = `.:1053 {\n kubernetes cluster.local {\n  startup_timeout 1s\n  kubeconfig ${join(dir, 'rare')}\n }\n}\n`
    writeFileSync(join(dir, 'Corefile'), corefile)
    const more = daemon === 'coredns-ts' ? [] : [`--kubeconfig=${join(dir, 'rare')}`]
    expect(await run({ POD_NAME: 'p', POD_NAMESPACE: 'ns' }, more)).toContain(poison)
  })
})
