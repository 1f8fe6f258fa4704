import { describe, expect, it } from 'vitest'
import { locationLines, shop } from '../testing/shop.ts'

/** The map of a variable, as one line. */
function mapOf(name: string, configMap: { readonly [key: string]: string }): string {
  const { text } = shop({ configMap })
  return new RegExp(`map \\S+ \\$${name} \\{[^}]*\\}`).exec(text)?.[0].replaceAll(/\s+/g, ' ') ?? ''
}

describe('the scheme of clients', () => {
  const rows: readonly (readonly [string, { readonly [key: string]: string }, string])[] = [
    ['is that of the connection', {}, 'map $scheme $pass_access_scheme { default $scheme; }'],
    [
      'is that of the header where it is trusted',
      { 'use-forwarded-headers': 'true' },
      'map $http_x_forwarded_proto $pass_access_scheme { default $http_x_forwarded_proto; "" $scheme; }',
    ],
    [
      'is https for port 443 of a PROXY header',
      { 'use-proxy-protocol': 'true' },
      'map $proxy_protocol_server_port $pass_access_scheme { default $scheme; 443 https; }',
    ],
    [
      'is https for that port whatever a trusted header says',
      { 'use-proxy-protocol': 'true', 'use-forwarded-headers': 'true' },
      'map $proxy_protocol_server_port $pass_access_scheme { default $forwarded_scheme; 443 https; }',
    ],
  ]
  it.each(rows)('%s', (_, configMap, text) => {
    expect(mapOf('pass_access_scheme', configMap)).toBe(text)
  })

  it('reaches backends', () => {
    expect(shop({}).text).toContain('proxy_set_header X-Forwarded-Proto $pass_access_scheme;')
    expect(locationLines(shop({})).join()).not.toContain('X-Forwarded-Proto')
  })
})
