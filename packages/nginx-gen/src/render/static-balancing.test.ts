import { endpointSlice, ingress, service } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { describeRequests } from '../testing/describe-requests.ts'
import { secret } from '../testing/objects.ts'
import { pem } from '../testing/pem.ts'
import { locationLines, shop } from '../testing/shop.ts'

const options = { balancing: 'static' } as const

/** The shop with a canary by the header X-Canary on another Service. */
function withCanary() {
  const backend = { service: { name: 'next', port: { number: 80 } } }
  const rules = [{ host: 'tea.example', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }]
  const annotations = {
    'nginx.ingress.kubernetes.io/canary': 'true',
    'nginx.ingress.kubernetes.io/canary-by-header': 'X-Canary',
  }
  const one = ingress('shop/next', { rules }, annotations)
  const later = { ...one, metadata: { ...one.metadata, creationTimestamp: '2026-01-02T00:00:00Z' } }
  return shop({ options, objects: [service('shop/next'), endpointSlice('shop/next', ['10.244.1.9']), later] })
}

describeRequests('a canary without Lua', withCanary().tree, [
  ['tea.example/', 'backend shop-tea-80', 'an ordinary request goes to the main backend'],
  [{ host: 'tea.example', headers: { 'x-canary': 'always' } }, 'backend shop-next-80', 'always goes to the canary'],
  [{ host: 'tea.example', headers: { 'x-canary': 'never' } }, 'backend shop-tea-80', 'never stays'],
])

describe('the form without Lua', () => {
  it('needs no Lua module and has the endpoints in the text', () => {
    const { text } = shop({ options })
    expect(text).not.toMatch(/lua/)
    expect(text).toContain('server 10.244.1.5:8080;')
    expect(text).toContain('proxy_pass http://$proxy_upstream_name;')
  })

  it('answers 503 for a backend without endpoints', () => {
    expect(locationLines(shop({ options, objects: [endpointSlice('shop/tea', [])] }))).toContain('return 503')
  })

  it('redirects to https by itself', () => {
    const forced = shop({ options, annotations: { 'force-ssl-redirect': 'true' } })
    expect(locationLines(forced)).toContain('return 308 https://$redirect_host$slashless_uri')
    expect(locationLines(shop({ options })).join()).not.toContain('return 308')
  })

  it('reads certificates from disk', () => {
    const tls = ingress('shop/tls', {
      rules: [{ host: 'a.tea.example' }],
      tls: [{ hosts: ['a.tea.example'], secretName: 'tls' }],
    })
    const built = shop({
      options,
      objects: [tls, secret('shop/tls', { 'tls.crt': pem.certificate, 'tls.key': pem.key })],
    })
    const file = built.translation.value.files.find(({ name }) => name.startsWith('pair-'))
    expect(file?.isSecret).toBe(true)
    expect(built.text).toContain(`ssl_certificate /etc/ingress-controller/files/${file?.name};`)
  })
})
