import { type EndpointSlice, snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, service } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { buildRuleset } from './build-ruleset.ts'
import { healthCheckAnswer, healthChecks } from './health-checks.ts'
import { proxyOptions } from './options.ts'

const edge = service('shop/edge', {
  clusterIP: '10.96.4.4',
  type: 'LoadBalancer',
  externalTrafficPolicy: 'Local',
  healthCheckNodePort: 32_001,
})
const slice = endpointSlice('shop/edge', ['10.244.1.5', '10.244.1.6', '10.244.2.5'])
const conditions = [{ ready: true }, { ready: false, serving: true, terminating: true }, { ready: true }]
const nodes = ['node-a', 'node-a', 'node-b']
const endpoints = (slice.endpoints ?? []).map((one, i) => ({
  ...one,
  nodeName: nodes[i] ?? '',
  conditions: conditions[i] ?? {},
}))
const check = (ports: NonNullable<EndpointSlice['ports']>) => {
  const changed: EndpointSlice = { ...slice, ports, endpoints }
  const snapshot = snapshotOf([edge, changed])
  return healthChecks(buildRuleset(snapshot, proxyOptions({ family: 4, nodeName: 'node-a' })).ports).get('shop/edge')
}

describe('a health check node port', () => {
  it.each([
    ['counts local ready endpoints, not those that terminate', slice.ports ?? [], 1],
    ['counts an address of two ports once', [...(slice.ports ?? []), { name: 'other', port: 9, protocol: 'UDP' }], 1],
    ['counts ports that the Service does not name', [{ name: 'other', port: 9, protocol: 'UDP' }], 1],
    ['counts nothing without ports', [], 0],
  ])('%s', (_what, ports, wanted) => expect(check(ports as never)?.localEndpoints).toBe(wanted))

  it('answers 503 when there is nobody, or when the proxy is late', () => {
    const status = (count: number, isHealthy: boolean) =>
      healthCheckAnswer({ namespace: 'shop', name: 'edge' }, count, isHealthy).status
    expect([status(1, true), status(0, true), status(1, false)]).toEqual([200, 503, 503])
  })
})
