// OCSP stapling with a real responder: the first handshake sets out to ask, later ones carry the answer.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KubeObject } from '@kubewire/kube-model'
import { endpointSlice, ingress, service } from '@kubewire/kube-model/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { whyNoNetns } from '../harness/netns.ts'
import { type RunningProgram, startProgram } from '../harness/process.ts'
import { startWorld, type World } from './world.ts'

const missing = whyNoNetns()
if (missing !== undefined) console.log(`ocsp.kernel.ts is skipped: ${missing}`)

const host = 'a.example.org'
const responder = '127.0.0.1:2560'

/** An authority and a certificate of its that names the responder; files in `dir`. */
function makeAuthority(dir: string): void {
  const run = (...words: readonly string[]): void =>
    void execFileSync('openssl', words, { cwd: dir, stdio: ['ignore', 'ignore', 'ignore'] })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  run('req', '-x509', ...key, '-days', '2', '-subj', '/CN=authority', '-keyout', 'ca.key', '-out', 'ca.crt')
  run('req', ...key, '-subj', `/CN=${host}`, '-keyout', 'site.key', '-out', 'site.csr')
  writeFileSync(join(dir, 'ext'), `subjectAltName=DNS:${host}\nauthorityInfoAccess=OCSP;URI:http://${responder}/\n`)
  const signer = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-set_serial', '0x1000', '-days', '2', '-extfile', 'ext']
  run('x509', '-req', '-in', 'site.csr', ...signer, '-out', 'site.crt')
  writeFileSync(join(dir, 'index'), `V\t391231235959Z\t\t1000\tunknown\t/CN=${host}\n`)
}

describe.skipIf(missing !== undefined).each(['data', 'static'])('OCSP answers with routes as %s', (routes) => {
  let world: World
  let answering: RunningProgram
  const dir = mkdtempSync(join(tmpdir(), 'kubewire-ocsp-'))

  beforeAll(async () => {
    makeAuthority(dir)
    const text = (...files: readonly string[]): string =>
      Buffer.from(files.map((file) => readFileSync(join(dir, file), 'utf8')).join('')).toString('base64')
    const secret = {
      ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'site', namespace: 'shop' } },
      data: { 'tls.crt': text('site.crt', 'ca.crt'), 'tls.key': text('site.key') },
    } as KubeObject
    const settings = {
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'shop' } },
      data: { 'enable-ocsp': 'true' },
    } as KubeObject
    const backend = { service: { name: 'tea', port: { number: 80 } } }
    const rules = [{ host, http: { paths: [{ path: '/', pathType: 'Prefix' as const, backend }] } }]
    const www = { 'nginx.ingress.kubernetes.io/from-to-www-redirect': 'true' }
    world = await startWorld({
      label: 'ocsp',
      flags: ['--watch-ingress-without-class', `--routes=${routes}`, '--configmap=shop/settings'],
      objects: [
        service('shop/tea', { ports: [{ port: 80, targetPort: 8080, protocol: 'TCP' }] }),
        endpointSlice('shop/tea', ['10.20.3.4']),
        secret,
        settings,
        ingress('shop/site', { rules, tls: [{ hosts: [host], secretName: 'site' }] }, www) as KubeObject,
      ],
    })
    const file = (name: string): string => join(dir, name)
    const signer = ['-CA', file('ca.crt'), '-rkey', file('ca.key'), '-rsigner', file('ca.crt')]
    const words = ['ocsp', '-index', file('index'), '-port', '2560', ...signer]
    answering = startProgram({ program: 'ip', args: ['netns', 'exec', world.netns.name, 'openssl', ...words] })
  }, 60_000)
  afterAll(async () => {
    await answering?.stop()
    await world?.close()
    rmSync(dir, { recursive: true, force: true })
  })

  const handshake = async (name: string): Promise<string> => {
    const words = ['s_client', '-connect', '127.0.0.1:443', '-status', '-servername', name]
    return (await world.netns.run('openssl', words, { input: '' })).stdout
  }

  it('come with later handshakes', async () => {
    await world.daemon.waitUntil(async () => (await handshake(host)).includes('Cert Status: good'), 15_000)
    expect(await handshake(host)).toContain('OCSP Response Status: successful')
  }, 20_000)

  it('are none for other names, which are served all the same', async () => {
    for (const name of ['unknown.example.org', `www.${host}`]) {
      const text = await handshake(name)
      expect(text).toContain('OCSP response: no response sent')
      expect(text).toContain('BEGIN CERTIFICATE')
    }
  }, 20_000)
})
