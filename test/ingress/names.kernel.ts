// Names that nginx itself looks up, at each request: a service of authentication, a target of copies, a TCP service.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KubeObject } from '@kubewire/kube-model'
import { endpointSlice, ingress, service } from '@kubewire/kube-model/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDaemon } from '../harness/daemon.ts'
import { whyNoNetns } from '../harness/netns.ts'
import type { RunningProgram } from '../harness/process.ts'
import { startWorld, type World } from './world.ts'

const missing = whyNoNetns()
if (missing !== undefined) console.log(`names.kernel.ts is skipped: ${missing}`)

const prefix = 'nginx.ingress.kubernetes.io'

function site(name: string, annotations: { readonly [name: string]: string }): KubeObject {
  const backend = { service: { name: 'tea', port: { number: 80 } } }
  const rules = [
    { host: `${name}.example.org`, http: { paths: [{ path: '/', pathType: 'Prefix' as const, backend }] } },
  ]
  const named = Object.entries(annotations).map(([key, value]) => [`${prefix}/${key}`, value])
  return ingress(`shop/${name}`, { rules }, Object.fromEntries(named)) as KubeObject
}

describe.skipIf(missing !== undefined)('names in annotations', () => {
  let world: World
  let dns: RunningProgram

  beforeAll(async () => {
    world = await startWorld({
      label: 'names',
      etc: { 'resolv.conf': 'nameserver 127.0.0.1\n' },
      flags: ['--watch-ingress-without-class', '--tcp-services-configmap=shop/ports'],
      objects: [
        service('shop/tea', { ports: [{ port: 80, targetPort: 8080, protocol: 'TCP' }] }),
        endpointSlice('shop/tea', ['10.20.3.4']),
        service('shop/named', { type: 'ExternalName', externalName: 'auth.example.net', ports: [{ port: 8080 }] }),
        service('shop/gone', { type: 'ExternalName', externalName: 'gone.example.net', ports: [{ port: 8080 }] }),
        {
          ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'ports', namespace: 'shop' } },
          data: { '9001': 'shop/named:8080', '9002': 'shop/gone:8080' },
        } as KubeObject,
        site('asked', { 'auth-url': 'http://auth.example.net:8080/' }),
        site('unknown', { 'auth-url': 'http://gone.example.net:8080/' }),
        site('copied', { 'mirror-target': 'http://gone.example.net:8080/$request_uri' }),
      ],
    })
    const corefile = join(world.dir, 'Corefile')
    writeFileSync(corefile, '. {\n bind 127.0.0.1\n hosts {\n 10.20.3.5 auth.example.net\n }\n}\n')
    dns = await startDaemon({
      daemon: 'coredns-ts',
      netns: world.netns,
      args: ['-conf', corefile],
      isReady: async () =>
        (await world.netns.run('dig', ['+short', '+time=1', '+tries=1', '@127.0.0.1', 'auth.example.net'])).stdout !==
        '',
    })
  }, 60_000)
  afterAll(async () => {
    await dns?.stop()
    await world?.close()
  })

  it('of a service of authentication are looked up at the name servers of the host', async () => {
    await world.until('200 one', 'asked.example.org')
    expect(await world.ask('asked.example.org')).toBe('200 one')
  }, 20_000)

  it('of TCP services are looked up at each connection', async () => {
    const ask = async (port: number): Promise<string> =>
      (await world.netns.run('curl', ['-s', '--max-time', '3', `http://127.0.0.1:${port}/`])).stdout
    expect(await ask(9001)).toContain('"name":"two"')
    expect(await ask(9002)).toBe('')
  }, 20_000)

  it('that do not exist close what they guard, and nothing else', async () => {
    expect(await world.ask('unknown.example.org')).toBe('500')
    expect(await world.ask('copied.example.org')).toBe('200 one')
  }, 20_000)
})
