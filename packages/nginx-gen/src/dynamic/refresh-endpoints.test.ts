import { type KubeObject, type ObjectKey, snapshotOf } from '@kubewire/kube-model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printConfig } from '../config/print.ts'
import { renderConfig } from '../render/render.ts'
import { translateIngresses } from '../translate/translate.ts'
import { dynamicData } from './backends.ts'
import { refreshEndpoints } from './refresh-endpoints.ts'

const prefix = 'nginx.ingress.kubernetes.io'

function service(name: string): KubeObject {
  return {
    kind: 'Service',
    metadata: { name, namespace: 'shop' },
    spec: { clusterIP: '10.96.0.9', ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }] },
  } as KubeObject
}

function slice(service: string, addresses: readonly string[]): KubeObject {
  return {
    kind: 'EndpointSlice',
    metadata: { name: `${service}-1`, namespace: 'shop', labels: { 'kubernetes.io/service-name': service } },
    addressType: 'IPv4',
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
  } as KubeObject
}

function ingress(name: string, annotations: { readonly [name: string]: string } = {}): KubeObject {
  const backend = { service: { name, port: { number: 80 } } }
  return {
    kind: 'Ingress',
    metadata: { name, namespace: 'shop', annotations },
    spec: { rules: [{ host: `${name}.example.org`, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }] },
  } as KubeObject
}

const names = ['tea', 'milk', 'jam']
const options = { watchWithoutClass: true }
const keys = (...services: readonly string[]) => new Set(services.map((one) => `shop/${one}` as ObjectKey))

function cluster(slices: readonly KubeObject[], more: readonly KubeObject[] = names.map((name) => ingress(name))) {
  return snapshotOf([...names.map(service), ...slices, ...more])
}

describe('new endpoints without a translation', () => {
  const addresses = fc.subarray(['10.1.0.1', '10.1.0.2', '10.1.0.3'])
  const some = fc.array(addresses, { minLength: 3, maxLength: 3 })

  it('give the same model, text and data as a translation', { timeout: 30_000 }, () => {
    fc.assert(
      fc.property(some, some, fc.subarray(names), (before, after, changed) => {
        const old = cluster(names.map((name, at) => slice(name, before[at] ?? [])))
        const now = cluster(names.map((name, at) => slice(name, (changed.includes(name) ? after : before)[at] ?? [])))
        const { value } = translateIngresses(old, options)
        const refreshed = refreshEndpoints(value, now, keys(...changed))
        const translated = translateIngresses(now, options).value
        expect(refreshed).toEqual(translated)
        expect(dynamicData(refreshed ?? value)).toEqual(dynamicData(translated))
        expect(printConfig(renderConfig(translated))).toBe(printConfig(renderConfig(value)))
      }),
      { numRuns: 25 },
    )
  })

  it('leave a Service alone that is used by its cluster address', () => {
    const ours = [ingress('tea', { [`${prefix}/service-upstream`]: 'true' })]
    const { value } = translateIngresses(cluster([slice('tea', ['10.1.0.1'])], ours), options)
    const refreshed = refreshEndpoints(value, cluster([slice('tea', [])], ours), keys('tea'))
    expect(refreshed).toEqual(value)
  })

  it('ask for a translation where a default backend may take over', () => {
    const ours = [ingress('tea', { [`${prefix}/default-backend`]: 'jam' })]
    for (const [was, is] of [
      [['10.1.0.1'], []],
      [[], ['10.1.0.1']],
    ] as const) {
      const { value } = translateIngresses(cluster([slice('tea', was), slice('jam', ['10.1.0.9'])], ours), options)
      const now = cluster([slice('tea', is), slice('jam', ['10.1.0.9'])], ours)
      expect(refreshEndpoints(value, now, keys('tea'))).toBeUndefined()
      expect(refreshEndpoints(value, now, keys('jam'))).toBeUndefined()
    }
  })
})
