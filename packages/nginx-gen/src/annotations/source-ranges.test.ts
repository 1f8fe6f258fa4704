import { describe, expect, it } from 'vitest'
import { locationLines, shop } from '../testing/shop.ts'

/** The access rules of the location in order. */
function rules(options: Parameters<typeof shop>[0]): readonly string[] {
  return locationLines(shop(options)).filter((line) => /^(?:allow|deny|return 503)/.test(line))
}

describe('lists of client addresses', () => {
  it('allow those listed and nobody else', () => {
    expect(rules({ annotations: { 'allowlist-source-range': '192.0.2.0/24, 198.51.100.7' } })).toEqual([
      'allow 192.0.2.0/24',
      'allow 198.51.100.7',
      'deny all',
    ])
  })

  it('read the older name too', () => {
    expect(rules({ annotations: { 'whitelist-source-range': '192.0.2.0/24' } })).toEqual([
      'allow 192.0.2.0/24',
      'deny all',
    ])
  })

  it('deny before they allow', () => {
    const annotations = { 'allowlist-source-range': '192.0.2.0/24', 'denylist-source-range': '192.0.2.9' }
    expect(rules({ annotations })).toEqual(['deny 192.0.2.9', 'allow 192.0.2.0/24', 'deny all'])
  })

  it('come from the ConfigMap where the Ingress has none', () => {
    expect(rules({ configMap: { 'whitelist-source-range': '203.0.113.0/24' } })).toEqual([
      'allow 203.0.113.0/24',
      'deny all',
    ])
  })

  it('repeat the global list, which nginx does not inherit beside own rules', () => {
    const options = {
      annotations: { 'allowlist-source-range': '192.0.2.0/24' },
      configMap: { 'block-cidrs': '192.0.2.66' },
    }
    expect(rules(options)[0]).toBe('deny 192.0.2.66')
  })

  it.each(['allowlist-source-range', 'denylist-source-range'])('an empty %s denies the location', (name) => {
    expect(rules({ annotations: { [name]: '' } })).toEqual(['return 503'])
  })

  it('the older name may be empty', () => {
    expect(rules({ annotations: { 'whitelist-source-range': '' } })).toEqual([])
  })

  it('of the ConfigMap say nothing about hosts that no Ingress has', () => {
    const built = shop({
      configMap: { 'whitelist-source-range': '203.0.113.0/24', 'denylist-source-range': '192.0.2.1' },
    })
    expect(locationLines(built, 'location /', '_').join()).not.toMatch(/allow|deny/)
  })

  it.each([['192.0.2.0/33'], ['everyone'], ['192.0.2.0/24; allow all']])('%s denies the location', (value) => {
    expect(rules({ annotations: { 'allowlist-source-range': value } })).toEqual(['return 503'])
  })

  it('a bad satisfy refuses the Ingress', () => {
    expect(shop({ annotations: { satisfy: 'some' } }).translation.accepted).toEqual([])
  })
})
