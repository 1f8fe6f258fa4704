import { describe, expect, it } from 'vitest'
import { locationLines, shop } from '../testing/shop.ts'

const kept = { 'auth-url': 'http://auth.example:9000/check?a=b', 'auth-keepalive': '7' }
const configMap = { 'use-http2': 'false' }

/** The location that asks. */
function question(built: ReturnType<typeof shop>): string {
  return /location = \/_external-auth-[0-9a-f]+ \{[^}]*\}/.exec(built.text)?.[0] ?? ''
}

function upstream(built: ReturnType<typeof shop>): string {
  return /upstream auth_[0-9a-f]+ \{[^}]*\}[^}]*\}/.exec(built.text)?.[0] ?? ''
}

describe('connections to an authentication service', () => {
  it('stay where Lua asks, over an upstream of their own', () => {
    const built = shop({ configMap, annotations: { ...kept, 'auth-response-headers': 'X-User, X-Team' } })
    const lines = locationLines(built)
    expect(lines.join()).not.toContain('auth_request ')
    expect(lines).toContain('kubewire.ask()')
    expect(lines).toContain('set $auth_response_headers X-User,X-Team')
    expect(lines).toContain('proxy_set_header X-Team $auth_header_1')
    expect(question(built)).toMatch(/set \$auth_target "?http:\/\/auth_[0-9a-f]+\/check\?a=b"?;/)
    expect(question(built)).toContain('proxy_set_header Connection "";')
    expect(question(built)).toContain('proxy_set_header Host auth.example;')
    expect(upstream(built)).toMatch(/keepalive 7;\s+keepalive_requests 1000;\s+keepalive_timeout 60s;/)
  })

  it('go to a backend that is resolved and balanced like external names', () => {
    const { backends } = shop({ configMap, annotations: kept }).translation.value
    const own = backends.find(({ name }) => name === 'external-auth:auth.example:9000')
    expect(own?.endpoints).toEqual([{ address: 'auth.example', port: 9000 }])
    expect(question(shop({ configMap, annotations: kept }))).toContain(
      'set $auth_upstream external-auth:auth.example:9000;',
    )
  })

  it.each([
    ['https://auth.example', 'auth.example', 443],
    ['http://192.0.2.1/', '192.0.2.1', 80],
  ])('the service of %s listens at %s, port %d', (url, address, port) => {
    const built = shop({ configMap, annotations: { ...kept, 'auth-url': url } })
    const { backends } = built.translation.value
    expect(question(built)).toContain(`proxy_ssl_name ${address};`)
    expect(backends.flatMap(({ endpoints }) => endpoints)).toContainEqual({ address, port })
  })

  const plain: readonly (readonly [string, { readonly [name: string]: string }, { readonly [key: string]: string }])[] =
    [
      ['HTTP/2 is offered', {}, {}],
      ['the host is a variable', { 'auth-url': 'http://$host/check' }, configMap],
      ['no requests may be kept', { 'auth-keepalive-requests': '0' }, configMap],
      ['they may not idle', { 'auth-keepalive-timeout': '-1' }, configMap],
      ['their number is below nothing', { 'auth-keepalive': '-3' }, configMap],
      ['their number is none', { 'auth-keepalive': 'many' }, configMap],
    ]
  it.each(plain)('are not kept where %s', (_, annotations, settings) => {
    const built = shop({ configMap: settings, annotations: { ...kept, ...annotations } })
    expect(locationLines(built).join()).toContain('auth_request /_external-auth-')
    expect(upstream(built)).toBe('')
    expect(built.translation.accepted).toHaveLength(1)
  })

  it('takes the defaults for requests and seconds that are no numbers', () => {
    const annotations = { ...kept, 'auth-keepalive-requests': 'x', 'auth-keepalive-timeout': 'y' }
    expect(upstream(shop({ configMap, annotations }))).toMatch(/keepalive_requests 1000;\s+keepalive_timeout 60s;/)
  })
})
