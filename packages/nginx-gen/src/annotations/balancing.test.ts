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
    [
      'may be a hash of a text with spaces',
      { 'upstream-hash-by': '$host of $request_uri' },
      { kind: 'hash', key: '$host of $request_uri', subsetSize: undefined },
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

  it.each([['maybe'], [''], ['false']])(
    'uses the endpoints for service-upstream: "%s", whatever the ConfigMap says',
    (value) => {
      const built = { annotations: { 'service-upstream': value }, configMap: { 'service-upstream': 'true' } }
      expect(backend(built)?.endpoints).toEqual([{ address: '10.244.1.5', port: 8080 }])
    },
  )

  it.each([
    ['chash without a key', { 'load-balance': 'chash' }],
    ['a hash of an unknown variable', { 'upstream-hash-by': '$nothing' }],
  ])('%s refuses the Ingress', (_, annotations) => {
    expect(shop({ annotations: annotations as { [name: string]: string } }).translation.accepted).toEqual([])
  })
})
