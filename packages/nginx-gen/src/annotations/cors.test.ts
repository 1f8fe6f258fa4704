import { describe, expect, it } from 'vitest'
import { describeRequests } from '../testing/describe-requests.ts'
import { locationLines, shop } from '../testing/shop.ts'

const listed = shop({
  annotations: { 'enable-cors': 'true', 'cors-allow-origin': 'https://a.example, https://*.b.example:8443' },
})

const from = (origin: string, method = 'OPTIONS') => ({ host: 'tea.example', method, headers: { origin } })

describeRequests('a list of origins', listed.tree, [
  [from('https://a.example'), '204', 'a preflight of a listed origin is answered'],
  [from('HTTPS://A.EXAMPLE'), '204', 'the case of letters does not count'],
  [from('https://x.b.example:8443'), '204', 'a star stands for one label'],
  [from('https://x.y.b.example:8443'), 'backend shop-tea-80', 'a star is not two labels'],
  [from('https://evil-a.example'), 'backend shop-tea-80', 'the start of an origin is anchored'],
  [from('https://a.example.evil'), 'backend shop-tea-80', 'the end of an origin is anchored'],
  [from('https://a.example', 'GET'), 'backend shop-tea-80', 'other methods reach the backend'],
])

describe('enable-cors', () => {
  it('answers everybody with a star by default', () => {
    const lines = locationLines(shop({ annotations: { 'enable-cors': 'true' } }))
    expect(lines).toContain('more_set_headers "Access-Control-Allow-Origin: *"')
    expect(lines).toContain('more_set_headers "Access-Control-Max-Age: 1728000"')
  })

  it.each([['evil.example'], ['https://a.example"; return 299; #'], ['']])(
    'an origin list of only %j allows nobody, or is the default when empty',
    (value) => {
      const lines = locationLines(shop({ annotations: { 'enable-cors': 'true', 'cors-allow-origin': value } })).join(
        '\n',
      )
      expect(lines.includes('Access-Control-Allow-Origin')).toBe(value === '')
    },
  )

  it('a bad list of methods is the default list', () => {
    const lines = locationLines(shop({ annotations: { 'enable-cors': 'true', 'cors-allow-methods': 'GET; x' } }))
    expect(lines).toContain('more_set_headers "Access-Control-Allow-Methods: GET, PUT, POST, DELETE, PATCH, OPTIONS"')
  })
})
