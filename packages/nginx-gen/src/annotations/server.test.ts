import { describe, expect, it } from 'vitest'
import { locationLines, serverLines, shop } from '../testing/shop.ts'

describe('annotations of a whole host', () => {
  it('further names of the host stand beside it, sorted, without repetition', () => {
    const built = shop({ annotations: { 'server-alias': 'b.example, a.example, b.example, tea.example' } })
    expect(serverLines(built)[0]).toBe('server_name tea.example a.example b.example')
  })

  it('an alias may be an expression', () => {
    expect(serverLines(shop({ annotations: { 'server-alias': '~^t\\d+\\.example$' } }))[0]).toMatch(/~\^t/)
  })

  it.each([['~^('], ['a.example; return 299'], ['a b']])('the alias %s refuses the Ingress', (value) => {
    expect(shop({ annotations: { 'server-alias': value } }).translation.accepted).toEqual([])
  })

  it('ciphers and their order are the host’s', () => {
    const annotations = { 'ssl-ciphers': 'ALL:!aNULL', 'ssl-prefer-server-ciphers': 'true' }
    expect(serverLines(shop({ annotations }))).toEqual(
      expect.arrayContaining(['ssl_ciphers ALL:!aNULL', 'ssl_prefer_server_ciphers on']),
    )
  })

  it.each([['ALL:!EXPORT56:RC4+RSA:@STRENGTH'], ['DEFAULT@SECLEVEL=0:!aNULL'], ['HIGH:']])(
    'the cipher list %s is one',
    (value) => {
      expect(serverLines(shop({ annotations: { 'ssl-ciphers': value } }))).toContain(`ssl_ciphers ${value}`)
    },
  )

  it('preloads are pushed where the location wants it', () => {
    expect(locationLines(shop({ annotations: { 'http2-push-preload': 'true' } }))).toContain('http2_push_preload on')
  })

  it('TLS is handed through by name where the flag allows it', () => {
    const built = shop({ annotations: { 'ssl-passthrough': 'true' }, options: { sslPassthrough: true } })
    expect(built.translation.value.servers.find(({ host }) => host === 'tea.example')?.passthrough).toEqual({
      address: '10.96.0.7',
      port: 80,
    })
    expect(built.text).toContain('tea.example unix:/run/ingress-controller/stream/passthrough-0.sock;')
    expect(built.text).toContain('listen 442 proxy_protocol ssl http2;')
  })
})
