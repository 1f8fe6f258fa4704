import { describe, expect, it } from 'vitest'
import { secret } from '../testing/objects.ts'
import { pem } from '../testing/pem.ts'
import { locationLines, serverLines, shop } from '../testing/shop.ts'

const objects = [secret('shop/ca', { 'ca.crt': pem.certificate }), secret('shop/none', { 'tls.crt': 'x' })]
const wanted = { 'auth-tls-secret': 'shop/ca' }

describe('auth-tls-*', () => {
  it('ask for certificates of the authority', () => {
    const built = shop({ objects, annotations: wanted })
    expect(serverLines(built)).toContain('ssl_verify_client on')
    expect(serverLines(built)).toContain('ssl_verify_depth 1')
    expect(locationLines(built)).toContain('proxy_set_header ssl-client-verify $ssl_client_verify')
  })

  it('match the subject', () => {
    const built = shop({ objects, annotations: { ...wanted, 'auth-tls-match-cn': 'CN=ada' } })
    expect(serverLines(built)).toContain('if ($ssl_client_s_dn !~ CN=ada) {')
  })

  it('send the certificate to the backend where wanted', () => {
    const built = shop({ objects, annotations: { ...wanted, 'auth-tls-pass-certificate-to-upstream': 'true' } })
    expect(locationLines(built)).toContain('proxy_set_header ssl-client-cert $ssl_client_escaped_cert')
  })

  it.each([['shop/gone'], ['shop/none'], ['other/ca'], ['ca']])(
    'with the Secret %s answer 403 on the whole host',
    (name) => {
      const built = shop({ objects, annotations: { 'auth-tls-secret': name } })
      expect(serverLines(built)).toContain('return 403')
      expect(locationLines(built)).toEqual([])
    },
  )

  it.each([
    ['a pattern that does not compile', { 'auth-tls-match-cn': 'CN=(' }],
    ['a pattern without CN=', { 'auth-tls-match-cn': 'ada' }],
    ['an error page that is a directive', { 'auth-tls-error-page': '/x; return 299' }],
    ['a strictness that is none', { 'auth-tls-verify-client': 'maybe' }],
  ])('%s refuses the Ingress', (_, more) => {
    expect(shop({ objects, annotations: { ...wanted, ...more } }).translation.accepted).toEqual([])
  })
})
