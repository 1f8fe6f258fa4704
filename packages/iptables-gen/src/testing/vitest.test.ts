import { endpointSlice, service } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import './vitest.ts'

const shop = {
  objects: [
    service('shop/tea', { clusterIP: '10.96.4.4' }),
    endpointSlice('shop/tea', ['10.244.1.11', '10.244.1.12']),
    service('shop/archive', { clusterIP: '10.96.4.5' }),
  ],
  node: 'node-1',
}

describe('toDeliver', () => {
  it('holds for all endpoints of a Service, in any order', () => {
    expect(shop).toDeliver('10.244.1.9', '10.96.4.4:80', '10.244.1.12:8080 10.244.1.11:8080')
  })

  it('holds for what is rejected, and looks at the source only when asked to', () => {
    expect(shop).toDeliver('10.244.1.9', '10.96.4.5:80', 'rejected')
    expect(shop).toDeliver('203.0.113.9', '10.96.4.4:80', '10.244.1.11:8080 10.244.1.12:8080', {
      isSourceRewritten: true,
    })
  })

  it('fails with the way of the packet', () => {
    expect(() => expect(shop).toDeliver('10.244.1.9', '10.96.4.4:80', 'dropped')).toThrow(
      /10\.244\.1\.9 → 10\.96\.4\.4:80: wanted dropped, found 10\.244\.1\.11:8080 .*KUBE-SVC-/s,
    )
    expect(() =>
      expect(shop).toDeliver('203.0.113.9', '10.96.4.5:80', 'rejected', { isSourceRewritten: true }),
    ).toThrow()
  })

  it('can be turned round', () => {
    expect(shop).not.toDeliver('10.244.1.9', '10.96.4.4:80', 'dropped')
    expect(() => expect(shop).not.toDeliver('10.244.1.9', '10.96.4.5:80', 'rejected')).toThrow(
      /expected not to land on rejected/,
    )
  })
})
