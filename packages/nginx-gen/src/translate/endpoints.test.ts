import { type EndpointSlice, type Service, snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, service } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { defaultControllerOptions } from '../snapshot/controller-options.ts'
import { endpointsOf, findServicePort, indexSlices } from './endpoints.ts'

function endpoints(one: Service, slices: readonly EndpointSlice[], port = '80', zone?: string): readonly string[] {
  const found = findServicePort(one, port)
  const options = { ...defaultControllerOptions, topologyAwareRouting: zone !== undefined, zone }
  const slicesOf = indexSlices(snapshotOf(slices))
  return found === undefined
    ? []
    : endpointsOf(one, found, 'TCP', slicesOf, options).map(({ address, port }) => `${address}:${port}`)
}

describe('endpoints of a Service port', () => {
  const tea = service('shop/tea')

  it('are those that are ready, or do not say', () => {
    const slice = endpointSlice('shop/tea', [
      '10.0.0.1',
      { addresses: ['10.0.0.2'], conditions: { ready: false } },
      { addresses: ['10.0.0.3'] },
    ])
    expect(endpoints(tea, [slice])).toEqual(['10.0.0.1:8080', '10.0.0.3:8080'])
  })

  it.each([['80'], ['8080'], ['http']])('are found by number, target port or name: %s', (port) => {
    expect(endpoints(tea, [endpointSlice('shop/tea', ['10.0.0.1'])], port)).toEqual(['10.0.0.1:8080'])
  })

  it('are listed once, also where two slices have them', () => {
    const slices = ['a', 'b'].map((suffix) => endpointSlice('shop/tea', ['10.0.0.1'], { suffix }))
    expect(endpoints(tea, slices)).toEqual(['10.0.0.1:8080'])
  })

  it('never are addresses of the controller itself', () => {
    expect(endpoints(tea, [endpointSlice('shop/tea', ['127.0.0.1', '10.0.0.1'])])).toEqual(['10.0.0.1:8080'])
  })

  it('use the numeric target port where the slice has no ports', () => {
    expect(endpoints(tea, [endpointSlice('shop/tea', ['10.0.0.1'], { ports: [] })])).toEqual(['10.0.0.1:8080'])
  })

  it.each([
    ['name.example', ['name.example:8080']],
    ['localhost', []],
    ['127.0.0.1', []],
    ['192.0.2.1', ['192.0.2.1:8080']],
    ['not a name', []],
  ])('of the external name %s are %j', (externalName, expected) => {
    expect(endpoints(service('shop/tea', { type: 'ExternalName', externalName }), [])).toEqual(expected)
  })

  it('are those of the zone where all have hints', () => {
    const hinted = (address: string, zone: string) => ({ addresses: [address], hints: { forZones: [{ name: zone }] } })
    const near = service('shop/tea', { trafficDistribution: 'PreferClose' })
    const slice = endpointSlice('shop/tea', [hinted('10.0.0.1', 'a'), hinted('10.0.0.2', 'b')])
    expect(endpoints(near, [slice], '80', 'b')).toEqual(['10.0.0.2:8080'])
    expect(endpoints(near, [slice], '80', 'c')).toEqual(['10.0.0.1:8080', '10.0.0.2:8080'])
  })
})
