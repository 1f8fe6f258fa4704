import { createLog } from '@kubewire/daemon-kit'
import {
  type ClusterSnapshot,
  type Ingress,
  type KubeObject,
  keyOf,
  type ObjectCollection,
  type ObjectKey,
  objectKey,
  snapshotOf,
} from '@kubewire/kube-model'
import { describe, expect, it } from 'vitest'
import type { NginxRefusal } from '../nginx/nginx-process.ts'
import { createStateRenderer, type IngressFate } from './render-state.ts'
import { type Quarantined, setAside } from './set-aside.ts'

const configMap = objectKey('edge', 'settings')

function site(name: string, seconds: number): Ingress {
  const backend = { service: { name: 'tea', port: { number: 80 } } }
  return {
    kind: 'Ingress',
    metadata: {
      ...{ name, namespace: 'shop', creationTimestamp: '2026-01-01T00:00:00Z' },
      annotations: { 'nginx.ingress.kubernetes.io/proxy-read-timeout': String(seconds) },
    },
    spec: { rules: [{ host: `${name}.example.org`, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }] },
  } as Ingress
}

const settings = (data: { readonly [key: string]: string }): KubeObject =>
  ({ kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'edge' }, data }) as KubeObject

/** A cluster that changes, as the stores of the daemon do. */
function living(...objects: readonly KubeObject[]): { readonly snapshot: ClusterSnapshot; put(one: KubeObject): void } {
  const held = new Map(objects.map((one) => [`${one.kind} ${keyOf(one)}`, one]))
  const kinds = Object.keys(snapshotOf([])) as (keyof ClusterSnapshot)[]
  const collections = kinds.map((kind) => {
    const now = (): ObjectCollection<KubeObject> => snapshotOf(held.values())[kind]
    const collection: ObjectCollection<KubeObject> = {
      get size() {
        return now().size
      },
      get: (name, namespace) => now().get(name, namespace),
      [Symbol.iterator]: () => now()[Symbol.iterator](),
    }
    return [kind, collection]
  })
  return {
    snapshot: Object.fromEntries(collections) as ClusterSnapshot,
    put: (one) => void held.set(`${one.kind} ${keyOf(one)}`, one),
  }
}

/** An nginx that refuses the first timeout of 13 or 666 seconds that it reads. */
function refusalOf(text: string): NginxRefusal | undefined {
  const [bad] = /(?:proxy_read_timeout|client_body_timeout) (?:13|666)s/.exec(text) ?? []
  return bad === undefined ? undefined : { message: `${bad} is refused`, line: undefined }
}

function open(cluster: ReturnType<typeof living>) {
  const renderer = createStateRenderer({
    options: { watchWithoutClass: true, configMap },
    ...{ paths: {}, routes: 'static', filesDir: '/files', fallbackCertificate: 'PEM', resolve: () => [] },
  })
  const quarantined = new Map<ObjectKey, Quarantined>()
  const leftOut = new Map<string, string>()
  const said: string[] = []
  const told: string[] = []
  let candidate = ''
  let onTest = (_count: number): void => {}
  let tests = 0
  const fateOf = (ingress: Ingress): IngressFate => quarantined.get(keyOf(ingress))?.fate ?? 'serve'
  const wanted = renderer.render(cluster.snapshot, fateOf)
  const parts = {
    ...{ renderer, configMap },
    log: createLog({ format: 'json', write: (line) => void said.push(line) }),
    files: {
      candidateFile: '/nginx.conf.candidate',
      writeFiles: async () => {},
      writeCandidate: async (text: string) => {
        candidate = text
      },
    },
    nginx: {
      test: async () => {
        const refusal = refusalOf(candidate)
        onTest(++tests)
        return refusal
      },
    },
    onQuarantine: (object: KubeObject, refusal: NginxRefusal | undefined) =>
      void told.push(`${keyOf(object)}: ${refusal?.message}`),
  }
  return {
    ...{ renderer, quarantined, leftOut, said, told, wanted, fateOf },
    search: async (whileSearching: (count: number) => void = () => {}, refused = wanted) => {
      onTest = whileSearching
      const refusal = refusalOf(refused.text) ?? expect.fail('expected a state that is refused')
      const about = { snapshot: cluster.snapshot, wanted: refused, refusal, fateOf }
      const state = await setAside(parts, about, quarantined, leftOut)
      parts.log.flush()
      return state
    },
  }
}

const sites = Array.from({ length: 12 }, (_, i) => site(`i${i}`, i === 4 ? 13 : 60))

describe('whom nginx refuses', () => {
  it('is set aside, is said not to be served where it never was, and the rest is served', async () => {
    const one = open(living(...sites))
    const state = await one.search()
    expect([...one.quarantined].map(([key, { fate }]) => `${key} ${fate}`)).toEqual(['shop/i4 drop'])
    expect(one.said.join('')).toContain('it is not served')
    expect(refusalOf(state.text)).toBeUndefined()
    expect(state.served.size).toBe(11)
  })

  it('goes on being served in its last good version', async () => {
    const cluster = living(...sites.map((one, i) => (i === 4 ? site('i4', 61) : one)))
    const one = open(cluster)
    one.renderer.accept(one.wanted)
    cluster.put(site('i4', 13))
    const state = await one.search(undefined, one.renderer.render(cluster.snapshot, one.fateOf))
    expect([...one.quarantined].map(([key, { fate }]) => `${key} ${fate}`)).toEqual(['shop/i4 previous'])
    expect(one.said.join('')).toContain('its last good version is served')
    expect(state.text).toContain('proxy_read_timeout 61s')
  })

  it('is the same one when it is repaired while it is looked for; its new version waits for the next sync', async () => {
    for (let repairedAt = 1; repairedAt <= 6; repairedAt++) {
      const cluster = living(...sites)
      const one = open(cluster)
      const state = await one.search((count) => {
        if (count === repairedAt) cluster.put(site('i4', 62))
      })
      expect([...one.quarantined.keys()], `repaired at test ${repairedAt}`).toEqual(['shop/i4'])
      expect(refusalOf(state.text)).toBeUndefined()
    }
  })

  it('is nobody when it was repaired before the search began', async () => {
    const cluster = living(...sites)
    const one = open(cluster)
    cluster.put(site('i4', 62))
    const state = await one.search()
    expect([...one.quarantined.keys()]).toEqual([])
    expect(state.text).toContain('proxy_read_timeout 62s')
    expect(one.said.join('')).toContain('has changed since')
  })

  it('does not come into force with what changed for the worse meanwhile', async () => {
    const cluster = living(...sites)
    const one = open(cluster)
    const state = await one.search((count) => {
      if (count === 2) cluster.put(site('late', 13))
    })
    expect([...one.quarantined.keys()]).toEqual(['shop/i4'])
    expect(refusalOf(state.text)).toBeUndefined()
    expect(state.text).not.toContain('late.example.org')
  })

  it('are several, each with what was said about it', async () => {
    const one = open(living(...sites, site('other', 666)))
    await one.search()
    expect(one.told.sort()).toEqual([
      'shop/i4: proxy_read_timeout 13s is refused',
      'shop/other: proxy_read_timeout 666s is refused',
    ])
  })

  it('is a setting when it is none of them, also when the ConfigMap changes meanwhile', async () => {
    const bad = { 'client-body-timeout': '666', 'keep-alive': '70', 'proxy-send-timeout': '71' }
    const cluster = living(settings(bad), ...sites.filter((_, i) => i !== 4))
    const one = open(cluster)
    const state = await one.search((count) => {
      if (count === 3) cluster.put(settings({ ...bad, 'client-body-timeout': '60' }))
    })
    expect([...one.leftOut]).toEqual([['client-body-timeout', '666']])
    expect(one.told).toEqual(['edge/settings: setting client-body-timeout: client_body_timeout 666s is refused'])
    expect(state.text).toContain('keepalive_timeout 70s')
  })
})
