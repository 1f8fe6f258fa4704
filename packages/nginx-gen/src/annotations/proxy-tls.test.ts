import { describe, expect, it } from 'vitest'
import { secret } from '../testing/objects.ts'
import { pem } from '../testing/pem.ts'
import { locationLines, serverLines, shop } from '../testing/shop.ts'

const objects = [
  secret('shop/full', { 'ca.crt': pem.certificate, 'tls.crt': pem.certificate, 'tls.key': pem.key }),
  secret('shop/mixed', { 'tls.crt': pem.certificate, 'tls.key': pem.otherKey }),
]

describe('proxy-ssl-*', () => {
  it('have no effect without a Secret', () => {
    expect(locationLines(shop({ annotations: { 'proxy-ssl-verify': 'on' } })).join()).not.toContain('proxy_ssl')
  })

  it('verify the backend and show a certificate', () => {
    const annotations = { 'proxy-ssl-secret': 'shop/full', 'proxy-ssl-verify': 'on', 'proxy-ssl-name': 'in.example' }
    const lines = locationLines(shop({ objects, annotations }))
    expect(lines).toContain('proxy_ssl_verify on')
    expect(lines).toContain('proxy_ssl_name in.example')
    expect(lines.join()).toMatch(/proxy_ssl_certificate_key [^,]*\/pair-[0-9a-f]{32}\.pem/)
  })

  it('say nothing of SNI to the rest of the host without a name', () => {
    const annotations = { 'proxy-ssl-secret': 'shop/full', 'proxy-ssl-server-name': 'on' }
    expect(serverLines(shop({ objects, annotations })).join()).not.toContain('proxy_ssl_server_name')
    expect(locationLines(shop({ objects, annotations }))).toContain('proxy_ssl_server_name on')
    const named = serverLines(shop({ objects, annotations: { ...annotations, 'proxy-ssl-name': 'in.example' } }))
    expect(named).toContain('proxy_ssl_server_name on')
  })

  it('spell them for gRPC too', () => {
    const annotations = { 'proxy-ssl-secret': 'shop/full', 'backend-protocol': 'GRPCS' }
    expect(locationLines(shop({ objects, annotations })).join()).toContain('grpc_ssl_verify off')
  })

  it.each([['shop/gone'], ['shop/mixed'], ['other/full']])('the Secret %s denies', (name) => {
    expect(locationLines(shop({ objects, annotations: { 'proxy-ssl-secret': name } }))).toContain('return 503')
  })
})
