// Handshakes with a real nginx: which certificate a name gets although most servers have no TLS context of their own, and
// that what only a context can say (client certificates, ciphers) holds for its host and for no other.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KubeObject } from '@kubewire/kube-model'
import { endpointSlice, ingress, service } from '@kubewire/kube-model/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { whyNoNetns } from '../harness/netns.ts'
import { startWorld, type World } from './world.ts'

const missing = whyNoNetns()
if (missing !== undefined) console.log(`tls.kernel.ts is skipped: ${missing}`)

const dir = mkdtempSync(join(tmpdir(), 'kubewire-tls-'))

function makePair(name: string, host: string): { readonly cert: string; readonly key: string } {
  const [cert, key] = [join(dir, `${name}.crt`), join(dir, `${name}.key`)]
  const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  const names = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${host}`, '-keyout', key, '-out', cert]
  execFileSync('openssl', [...words, ...names], { stdio: 'ignore' })
  return { cert, key }
}

function site(
  name: string,
  host: string,
  annotations: { readonly [name: string]: string } = {},
): readonly KubeObject[] {
  const { cert, key } = makePair(name, host)
  const text = (file: string): string => readFileSync(file).toString('base64')
  const backend = { service: { name: 'tea', port: { number: 80 } } }
  const rules = [{ host, http: { paths: [{ path: '/', pathType: 'Prefix' as const, backend }] } }]
  const named = Object.entries(annotations).map(([key, value]) => [`nginx.ingress.kubernetes.io/${key}`, value])
  const secret = {
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'shop' } },
    data: { 'tls.crt': text(cert), 'tls.key': text(key), 'ca.crt': text(cert) },
  }
  const tls = [{ hosts: [host], secretName: name }]
  return [secret as never, ingress(`shop/${name}`, { rules, tls }, Object.fromEntries(named)) as KubeObject]
}

describe.skipIf(missing !== undefined).each(['static', 'data'])('TLS with routes as %s', (routes) => {
  let world: World

  beforeAll(async () => {
    world = await startWorld({
      label: 'tls',
      flags: ['--watch-ingress-without-class', `--routes=${routes}`],
      objects: [
        service('shop/tea', { ports: [{ port: 80, targetPort: 8080, protocol: 'TCP' }] }),
        endpointSlice('shop/tea', ['10.20.3.4']),
        ...site('tea', 'tea.example.org'),
        ...site('milk', 'milk.example.org'),
        ...site('wild', '*.wild.example.org'),
        ...site('strict', 'strict.example.org', { 'auth-tls-secret': 'shop/strict' }),
        ...site('strong', 'strong.example.org', { 'ssl-ciphers': 'ECDHE-ECDSA-AES256-GCM-SHA384' }),
      ],
    })
    await world.daemon.waitUntil(async () => (await subject('-servername', 'tea.example.org')) === 'tea', 10_000)
  }, 60_000)
  afterAll(async () => {
    await world?.close()
  })

  const handshake = async (...words: readonly string[]): Promise<string> => {
    const { stdout, stderr } = await world.netns.run('openssl', ['s_client', '-connect', '127.0.0.1:443', ...words], {
      input: '',
    })
    return stdout + stderr
  }
  const subject = async (...words: readonly string[]): Promise<string> =>
    /subject=.*CN ?= ?([^\n,]*)/.exec(await handshake(...words))?.[1] ?? ''
  const get = async (host: string, ...words: readonly string[]): Promise<string> => {
    const to = ['--resolve', `${host}:443:127.0.0.1`, `https://${host}/`]
    return (
      await world.netns.run('curl', [
        '-sk',
        '--max-time',
        '4',
        '-w',
        '%{http_code} %{http_version}',
        '-o',
        '/dev/null',
        ...words,
        ...to,
      ])
    ).stdout
  }

  it.each([
    ['a name', ['-servername', 'tea.example.org'], 'tea'],
    ['another name', ['-servername', 'milk.example.org'], 'milk'],
    ['a name in capitals', ['-servername', 'MILK.example.org'], 'milk'],
    ['a name of a wildcard host', ['-servername', 'a.wild.example.org'], 'wild'],
    ['a name in TLS 1.2', ['-servername', 'milk.example.org', '-tls1_2'], 'milk'],
    ['a host with a context of its own', ['-servername', 'strict.example.org'], 'strict'],
    ['a host with ciphers of its own', ['-servername', 'strong.example.org'], 'strong'],
    ['an unknown name', ['-servername', 'unknown.example.org'], 'Kubernetes Ingress Controller Fake Certificate'],
    ['no name', ['-noservername'], 'Kubernetes Ingress Controller Fake Certificate'],
  ])('%s gets its certificate', async (_, words, name) => {
    expect(await subject(...words)).toBe(name)
  })

  it('HTTP/2 is spoken, and a session is taken up again', async () => {
    expect(await get('tea.example.org', '--http2')).toBe('200 2')
    expect(await handshake('-servername', 'tea.example.org', '-tls1_2', '-reconnect')).toMatch(/^Reused, TLSv1\.2/m)
  })

  it('a client certificate is asked for by its host alone', async () => {
    const own = ['--cert', join(dir, 'strict.crt'), '--key', join(dir, 'strict.key')]
    expect(await get('strict.example.org')).toMatch(/^400 /)
    expect(await get('strict.example.org', ...own)).toMatch(/^200 /)
    expect(await get('tea.example.org')).toMatch(/^200 /)
    expect(await handshake('-servername', 'strict.example.org')).toContain('Acceptable client certificate CA names')
    expect(await handshake('-servername', 'tea.example.org')).toContain('No client certificate CA names sent')
  })

  it('ciphers hold for their host alone', async () => {
    const weak = ['-tls1_2', '-cipher', 'ECDHE-ECDSA-AES128-GCM-SHA256', '-servername']
    expect(await handshake(...weak, 'strong.example.org')).toMatch(/handshake failure|no cipher|NONE/)
    expect(await subject(...weak, 'tea.example.org')).toBe('tea')
  })

  it('only the default server and those two have a certificate in the file', () => {
    const text = readFileSync(join(world.dir, 'run/nginx.conf'), 'utf8')
    expect(text.match(/^ *ssl_certificate /gm)).toHaveLength(3)
  })
})

afterAll(() => rmSync(dir, { recursive: true, force: true }))
