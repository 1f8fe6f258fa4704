import { emptySnapshot } from '@kubewire/kube-model'
import { ingress } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { defaultSettings } from '../settings/parse.ts'
import { shop } from '../testing/shop.ts'
import { readIngress } from '../translate/read-ingress.ts'
import { canary } from './canary.ts'
import { featureOf } from './define.ts'
import { defaultExtendedOptions } from './extended-options.ts'

/** The policy that annotations without prefix give. */
function policy(annotations: { readonly [name: string]: string }) {
  const prefixed = Object.fromEntries(
    Object.entries(annotations).map(([name, value]) => [`nginx.ingress.kubernetes.io/${name}`, value]),
  )
  const context = { snapshot: emptySnapshot, settings: defaultSettings, options: defaultExtendedOptions }
  return featureOf(readIngress(ingress('shop/canary', {}, prefixed), context).features, canary)
}

describe('canary policy', () => {
  it('has weight 0 of 100 without further annotations', () => {
    expect(policy({ canary: 'true' })).toMatchObject({ weight: 0, weightTotal: 100 })
  })

  it('takes a total above 100, and 100 for one below', () => {
    expect(policy({ canary: 'true', 'canary-weight-total': '1000' })?.weightTotal).toBe(1000)
    expect(policy({ canary: 'true', 'canary-weight-total': '10' })?.weightTotal).toBe(100)
  })

  it('ignores a header name that is none', () => {
    expect(policy({ canary: 'true', 'canary-by-header': 'a b' })?.header).toBeUndefined()
  })

  it('may wait for a header value with spaces', () => {
    const wanted = policy({ canary: 'true', 'canary-by-header': 'X-Team', 'canary-by-header-value': 'tea and milk' })
    expect(wanted?.headerValue).toBe('tea and milk')
  })

  it('is absent without canary: "true"', () => {
    expect(policy({ canary: 'false' })).toBeUndefined()
  })

  it('a weight without canary: "true" refuses the Ingress', () => {
    expect(shop({ annotations: { 'canary-weight': '50' } }).translation.accepted).toEqual([])
  })
})
