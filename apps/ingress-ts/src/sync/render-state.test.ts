import { type Ingress, type KubeObject, objectKey, snapshotOf } from '@kubewire/kube-model'
import { describe, expect, it } from 'vitest'
import { createStateRenderer, type IngressFate, type StateRenderer } from './render-state.ts'

function ingress(name: string, host: string, annotations: { readonly [name: string]: string } = {}): Ingress {
  const backend = { service: { name: 'tea', port: { number: 80 } } }
  return {
    kind: 'Ingress',
    metadata: { name, namespace: 'shop', annotations },
    spec: { rules: [{ host, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }] },
  } as Ingress
}

const renderer = (): StateRenderer =>
  createStateRenderer({
    options: { watchWithoutClass: true },
    paths: {},
    routes: 'static',
    filesDir: '/files',
    fallbackCertificate: 'PEM',
    resolve: () => [],
  })

const serveAll = (): IngressFate => 'serve'
const cluster = (...objects: readonly KubeObject[]) => snapshotOf(objects)
const badValue = { 'nginx.ingress.kubernetes.io/server-alias': 'a;b' }

describe('which version of an Ingress is served', () => {
  it('a new one that is refused is not served', () => {
    const state = renderer().render(cluster(ingress('bad', 'bad.example.org', badValue)), serveAll)
    expect(state.text).not.toContain('bad.example.org')
    expect(state.served.size).toBe(0)
  })

  it('an update that is refused leaves the last good version', () => {
    const one = renderer()
    one.accept(one.render(cluster(ingress('a', 'old.example.org')), serveAll))
    const state = one.render(cluster(ingress('a', 'new.example.org', badValue)), serveAll)
    expect(state.text).toContain('server_name old.example.org')
    expect(state.text).not.toContain('new.example.org')
  })

  it('one that is set aside is served in its last good version, or not at all', () => {
    const one = renderer()
    one.accept(one.render(cluster(ingress('a', 'old.example.org')), serveAll))
    const now = cluster(ingress('a', 'new.example.org'), ingress('b', 'b.example.org'))
    expect(one.render(now, () => 'previous').text).toContain('server_name old.example.org')
    expect(one.render(now, () => 'previous').text).not.toContain('b.example.org')
    expect(one.render(now, () => 'drop').served.size).toBe(0)
  })

  it('those accepted before stand before the new ones', () => {
    const one = renderer()
    const old = ingress('z', 'z.example.org')
    one.accept(one.render(cluster(old), serveAll))
    const state = one.render(cluster(ingress('a', 'a.example.org'), old), serveAll)
    expect([...state.served.keys()]).toEqual([objectKey('shop', 'z'), objectKey('shop', 'a')])
  })

  it('the default certificate is a file of the state', () => {
    const state = renderer().render(cluster(), serveAll)
    expect(state.files.map(({ name }) => name)).toContain('default-own.pem')
    expect(state.text).toContain('/files/default-own.pem')
  })
})
