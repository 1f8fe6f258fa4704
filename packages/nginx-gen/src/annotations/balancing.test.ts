import { describe, expect, it } from 'vitest'
import { shop } from '../testing/shop.ts'

/** The backend of the shop. */
function backend(test: Parameters<typeof shop>[0]) {
  return shop(test).translation.value.backends.find(({ name }) => name === 'shop-tea-80')
}

describe('balancing of a backend', () => {
  it.each([
    ['is round robin by default', {}, { kind: 'round-robin' }],
    ['may be EWMA', { 'load-balance': 'ewma' }, { kind: 'ewma' }],
    [
      'may be a hash',
      { 'upstream-hash-by': '$request_uri' },
      { kind: 'hash', key: '$request_uri', subsetSize: undefined },
    ],
    [
      'may be a hash over sets of three',
      { 'upstream-hash-by': '$host', 'upstream-hash-by-subset': 'true' },
      { kind: 'hash', key: '$host', subsetSize: 3 },
    ],
  ] as const)('%s', (_, annotations, balancing) => {
    expect(backend({ annotations })?.balancing).toEqual(balancing)
  })

  it('comes from the ConfigMap where the Ingress says nothing', () => {
    expect(backend({ configMap: { 'load-balance': 'ewma' } })?.balancing).toEqual({ kind: 'ewma' })
  })

  it('uses the cluster IP where that is wanted', () => {
    expect(backend({ annotations: { 'service-upstream': 'true' } })?.endpoints).toEqual([
      { address: '10.96.0.7', port: 80 },
    ])
  })

  it.each([
    ['chash without a key', { 'load-balance': 'chash' }],
    ['a hash of an unknown variable', { 'upstream-hash-by': '$nothing' }],
  ])('%s refuses the Ingress', (_, annotations) => {
    expect(shop({ annotations: annotations as { [name: string]: string } }).translation.accepted).toEqual([])
  })
})
