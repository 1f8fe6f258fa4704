// What goes wrong around a controller: a full disk, a broken certificate, garbage in the ConfigMap, an API server that is
// away or lives in another time, an extension that does not load. What was served goes on, and what is right comes through.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KubeObject } from '@kubewire/kube-model'
import { endpointSlice, ingress, service } from '@kubewire/kube-model/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { whyNoNetns } from '../harness/netns.ts'
import { startWorld, type World } from './world.ts'

const missing = whyNoNetns()
if (missing !== undefined) console.log(`reliability.kernel.ts is skipped: ${missing}`)

const host = (name: string): string => `${name}.example.org`

function site(name: string, annotations: { readonly [name: string]: string } = {}, secret?: string): KubeObject {
  const backend = { service: { name: 'tea', port: { number: 80 } } }
  const rules = [{ host: host(name), http: { paths: [{ path: '/', pathType: 'Prefix' as const, backend }] } }]
  const tls = secret === undefined ? {} : { tls: [{ hosts: [host(name)], secretName: secret }] }
  const named = Object.entries(annotations).map(([key, value]) => [`nginx.ingress.kubernetes.io/${key}`, value])
  return ingress(`shop/${name}`, { rules, ...tls }, Object.fromEntries(named)) as KubeObject
}

function settings(data: { readonly [key: string]: string }): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'settings', namespace: 'ingress' },
    data,
  } as KubeObject
}

function pair(name: string): KubeObject {
  const dir = mkdtempSync(join(tmpdir(), 'kubewire-pair-'))
  const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  const out = ['-keyout', join(dir, 'key'), '-out', join(dir, 'crt'), '-addext', `subjectAltName=DNS:${host(name)}`]
  execFileSync('openssl', [...words, '-subj', `/CN=${name}`, ...out], { stdio: 'ignore' })
  const read = (file: string): string => execFileSync('base64', ['-w0', join(dir, file)], { encoding: 'utf8' })
  const data = { 'tls.crt': read('crt'), 'tls.key': read('key') }
  rmSync(dir, { recursive: true })
  return secret(name, data)
}

function secret(name: string, data: { readonly [key: string]: string }): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: 'shop' },
    type: 'kubernetes.io/tls',
    data,
  } as never
}

const extension = (header: string): string => `
export default () => ({ transform: (tree) => [...tree.slice(0, -1), withHeader(tree.at(-1))] })
function withHeader(node) {
  const header = { kind: 'directive', name: 'add_header', args: [{ kind: 'word', text: 'X-From' }, { kind: 'word', text: '${header}' }] }
  return node.name === 'http' ? { ...node, children: [...node.children, header] } : node
}
`

describe.skipIf(missing !== undefined)('the ingress daemon goes on serving', () => {
  const disk = mkdtempSync(join(tmpdir(), 'kubewire-disk-'))
  const extensionFile = join(disk, '../', `kubewire-extension-${process.pid}.mjs`)
  let world: World

  beforeAll(async () => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'kubewire', disk])
    mkdirSync(join(disk, 'run'))
    writeFileSync(extensionFile, extension('first'))
    world = await startWorld({
      label: 'reliable',
      runDir: join(disk, 'run'),
      flags: ['--watch-ingress-without-class', '--configmap=ingress/settings', `--extension=${extensionFile}`],
      objects: [
        settings({}),
        service('shop/tea', { ports: [{ port: 80, targetPort: 8080, protocol: 'TCP' }] }),
        endpointSlice('shop/tea', ['10.20.3.4']),
        site('tea'),
      ],
    })
    await world.until('200 one', host('tea'))
  }, 60_000)

  afterAll(async () => {
    await world?.close()
    execFileSync('umount', [disk])
    rmSync(disk, { recursive: true, force: true })
    rmSync(extensionFile, { force: true })
  })

  const certificateOf = async (name: string): Promise<string> => {
    const words = ['s_client', '-connect', '127.0.0.1:443', '-servername', host(name)]
    const { stdout } = await world.netns.run('openssl', words, { input: '' })
    return /subject=.*CN ?= ?([^\n,]*)/.exec(stdout)?.[1] ?? ''
  }

  it('when the disk is full, and applies what waited once there is room', async () => {
    const { bavail, bsize } = statfsSync(disk)
    writeFileSync(join(disk, 'filler'), Buffer.alloc(bavail * bsize))
    await world.put(site('later', { 'proxy-read-timeout': '71' }))
    await world.daemon.waitUntil(() => /sync failed.*(?:ENOSPC|no space)/i.test(world.daemon.output()), 15_000)
    expect(await world.ask(host('tea'))).toBe('200 one')
    rmSync(join(disk, 'filler'))
    await world.until('200 one', host('later'))
  })

  it('when a certificate is broken, with the default one for this host alone', async () => {
    await world.put(pair('sound'))
    await world.put(site('sound', {}, 'sound'))
    await world.put(secret('broken', { 'tls.crt': 'AAAA', 'tls.key': 'AAAA' }))
    await world.put(site('broken', {}, 'broken'))
    const https = ['-k', '-L', '--resolve', `${host('broken')}:443:127.0.0.1`]
    await world.until('200 one', host('broken'), '/', '-H', 'X-Forwarded-Proto: https', ...https)
    await world.daemon.waitUntil(async () => (await certificateOf('sound')) === 'sound', 10_000)
    expect(await certificateOf('broken')).toContain('Fake Certificate')
    await world.put({ ...pair('broken') })
    await world.daemon.waitUntil(async () => (await certificateOf('broken')) === 'broken', 10_000)
  })

  it('when the ConfigMap holds garbage, and goes on changing', async () => {
    await world.put(settings({ 'http-snippet': '} nonsense {', 'proxy-read-timeout': 'soon', 'no-such-key': '\u0000' }))
    await world.put(site('after-garbage'))
    await world.until('200 one', host('after-garbage'))
    expect(await world.ask(host('tea'))).toBe('200 one')
    await world.put(settings({}))
  })

  it('while the API server is away, and takes what changed when it is back', async () => {
    const isAway = async (): Promise<boolean> =>
      (await world.netns.run('curl', ['-sk', '--max-time', '1', 'https://127.0.0.1:6443/version'])).exitCode !== 0
    await world.fault('restart,down=2s,after=100ms')
    await world.daemon.waitUntil(isAway)
    for (let i = 0; i < 10; i++) expect(await world.ask(host('tea'))).toBe('200 one')
    // Only what is written after it is back shows that the controller has noticed.
    await world.daemon.waitUntil(async () => !(await isAway()))
    await world.put(endpointSlice('shop/tea', ['10.20.3.5']))
    await world.until('200 two', host('tea'))
  })

  it('when the clock of the API server and the ages of objects are of another day', async () => {
    await world.fault('clockSkew,by=26h,times=0')
    const future = site('future')
    await world.put({ ...future, metadata: { ...future.metadata, creationTimestamp: '2099-01-01T00:00:00Z' } })
    await world.until('200 two', host('future'))
  })

  it('when its extension changes, with the new one, and with the last good one when it breaks', async () => {
    const from = async (): Promise<string> => {
      const words = [
        '-s',
        '-o',
        '/dev/null',
        '-w',
        '%header{x-from}',
        '-H',
        `Host: ${host('tea')}`,
        'http://127.0.0.1/',
      ]
      return (await world.netns.run('curl', words)).stdout
    }
    expect(await from()).toBe('first')
    writeFileSync(extensionFile, extension('second'))
    await world.daemon.waitUntil(async () => (await from()) === 'second', 10_000)
    writeFileSync(extensionFile, 'export default () => { throw new Error("broken on purpose") }')
    await world.daemon.waitUntil(() => world.daemon.output().includes('broken on purpose'), 10_000)
    await world.put(site('after-extension'))
    await world.until('200 two', host('after-extension'))
    expect(await from()).toBe('second')
  })
})
