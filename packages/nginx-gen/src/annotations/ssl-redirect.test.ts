import { describe, expect, it } from 'vitest'
import { locationLines, shop } from '../testing/shop.ts'

describe('redirects to https', () => {
  const rows: readonly (readonly [string, Parameters<typeof shop>[0], string])[] = [
    ['happen where the host has a certificate', {}, 'set $ssl_redirect tls'],
    ['can be switched off', { annotations: { 'ssl-redirect': 'false' } }, 'set $ssl_redirect off'],
    ['can be forced', { annotations: { 'force-ssl-redirect': 'true' } }, 'set $ssl_redirect always'],
    ['can be switched off for all', { configMap: { 'ssl-redirect': 'false' } }, 'set $ssl_redirect off'],
    ['a value that is no flag leaves the default', { annotations: { 'ssl-redirect': 'no' } }, 'set $ssl_redirect tls'],
    ['may keep the slash', { annotations: { 'preserve-trailing-slash': 'true' } }, 'set $redirect_slash keep'],
    ['may write the port', { annotations: { 'use-port-in-redirects': 'true' } }, 'set $redirect_port 443'],
  ]
  it.each(rows)('%s', (_, options, line) => {
    expect(locationLines(shop(options))).toContain(line)
  })

  it('never happen for hosts that no Ingress has', () => {
    const built = shop({ configMap: { 'force-ssl-redirect': 'true' } })
    expect(locationLines(built, 'location /', '_')).toContain('set $ssl_redirect off')
  })

  it('write no port for the built-in root', () => {
    const built = shop({ configMap: { 'use-port-in-redirects': 'true' } })
    expect(locationLines(built, 'location /', '_').join()).not.toContain('redirect_port')
    expect(locationLines(built)).toContain('set $redirect_port 443')
  })

  it('never happen for paths of certificate authorities', () => {
    const built = shop({ path: '/.well-known/acme-challenge/x', pathType: 'Exact' })
    expect(locationLines(built, 'location = /.well-known/acme-challenge/x')).toContain('set $ssl_redirect off')
  })
})
