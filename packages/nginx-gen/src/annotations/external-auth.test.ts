import { describe, expect, it } from 'vitest'
import { configMap } from '../testing/objects.ts'
import { locationLines, serverLines, shop } from '../testing/shop.ts'
import { hostOfUrl } from './external-auth.ts'

const auth = { 'auth-url': 'http://auth.example/check' }

/** The location that asks, whatever its name. */
function question(built: ReturnType<typeof shop>): string {
  return /location = \/_external-auth-[0-9a-f]+ \{[^}]*\}/.exec(built.text)?.[0] ?? ''
}

describe('auth-url', () => {
  it('asks before each request', () => {
    const built = shop({ annotations: auth })
    expect(locationLines(built).some((line) => line.startsWith('auth_request /_external-auth-'))).toBe(true)
    expect(question(built)).toContain('set $auth_target http://auth.example/check;')
  })

  it('never shows a custom error page to the question, which could turn a refusal into a permission', () => {
    const built = shop({ annotations: auth, configMap: { 'custom-http-errors': '401,403' } })
    expect(question(built)).toContain('proxy_intercept_errors off;')
    expect(question(built)).toContain('error_page 306 /;')
  })

  it('passes headers of the answer on, whatever the client sent', () => {
    const lines = locationLines(shop({ annotations: { ...auth, 'auth-response-headers': 'X-User' } }))
    expect(lines).toContain('auth_request_set $auth_header_0 $upstream_http_x_user')
    expect(lines).toContain('proxy_set_header X-User $auth_header_0')
  })

  it('sends clients to sign in with the address they wanted', () => {
    const built = shop({ annotations: { ...auth, 'auth-signin': 'https://sso.example/start?x=1' } })
    expect(built.text).toContain(
      'return 302 "https://sso.example/start?x=1&rd=$pass_access_scheme://$http_host$escaped_request_uri";'.replaceAll(
        '"',
        '',
      ),
    )
  })

  it('leaves a sign-in page that says the address itself alone', () => {
    const built = shop({ annotations: { ...auth, 'auth-signin': 'https://sso.example/?rd=here' } })
    expect(built.text).toContain('return 302 https://sso.example/?rd=here;')
  })

  it('tells a sign-in page the address where its parameter is there and empty', () => {
    const built = shop({ annotations: { ...auth, 'auth-signin': 'https://sso.example/?rd=' } })
    expect(built.text).toContain('return 302 https://sso.example/?rd=&rd=$pass_access_scheme')
  })

  it('is not asked for paths of certificate authorities', () => {
    const built = shop({ annotations: auth, path: '/.well-known/acme-challenge/x', pathType: 'Exact' })
    expect(locationLines(built, 'location = /.well-known/acme-challenge/x').join()).not.toContain('auth_request')
  })

  const denied: readonly (readonly [string, { readonly [name: string]: string }])[] = [
    ['a URL that is none', { 'auth-url': 'nonsense' }],
    ['a host with an empty label', { 'auth-url': 'http://a..b/' }],
    ['a method that is none', { ...auth, 'auth-method': 'GETX' }],
    ['a header list that is none', { ...auth, 'auth-response-headers': 'a b;' }],
    ['a duration that is none', { ...auth, 'auth-cache-duration': 'forever' }],
    ['a ConfigMap that does not exist', { ...auth, 'auth-proxy-set-headers': 'shop/gone' }],
    ['a ConfigMap without its namespace', { ...auth, 'auth-proxy-set-headers': 'headers' }],
    ['a ConfigMap of another namespace', { ...auth, 'auth-proxy-set-headers': 'other/headers' }],
    ['a bad request redirect', { ...auth, 'auth-request-redirect': 'a b' }],
    ['a bad cookie flag', { ...auth, 'auth-always-set-cookie': 'maybe' }],
  ]
  it.each(denied)('%s denies and never opens', (_, annotations) => {
    const built = shop({
      annotations,
      objects: [configMap('other/headers', { 'X-A': 'b' }), configMap('shop/headers', { 'X-A': 'b' })],
    })
    expect(locationLines(built)).toContain('return 503')
    expect(locationLines(built).join()).not.toContain('proxy_pass')
  })

  it.each([['$nothing'], ['$(x)'], ['$']])(
    'the variable %s that nginx does not know refuses the Ingress',
    (variable) => {
      expect(shop({ annotations: { 'auth-url': `http://auth.example/${variable}` } }).translation.accepted).toEqual([])
    },
  )
})

describe('global-auth-url', () => {
  const configMapData = { 'global-auth-url': 'http://auth.example/all' }

  it('asks for every Ingress', () => {
    expect(locationLines(shop({ configMap: configMapData })).join()).toContain('auth_request')
  })

  it('is not asked where an Ingress opts out', () => {
    const built = shop({ configMap: configMapData, annotations: { 'enable-global-auth': 'false' } })
    expect(locationLines(built).join()).not.toContain('auth_request')
  })

  it('is still asked where opting out is misspelled', () => {
    const built = shop({ configMap: configMapData, annotations: { 'enable-global-auth': 'off' } })
    expect(locationLines(built).join()).toContain('auth_request')
  })

  it('may be told where to redirect with variables', () => {
    const configMap = { ...configMapData, 'global-auth-request-redirect': 'https://$host$request_uri' }
    expect(question(shop({ configMap }))).toContain('X-Auth-Request-Redirect https://$host$request_uri;')
  })

  it('yields to the question of the Ingress', () => {
    const built = shop({ configMap: configMapData, annotations: auth })
    expect(question(built)).toContain('http://auth.example/check')
    expect(serverLines(built).join()).not.toContain('/all')
  })
})

describe('the host of a URL', () => {
  it.each([
    ['http://auth.example/x', 'auth.example'],
    ['https://auth.example:8443', 'auth.example'],
    ['http://192.0.2.1/', '192.0.2.1'],
    ['http://$host/x', '$host'],
    ['ftp://auth.example', undefined],
    ['http://', undefined],
    ['http://a..b', undefined],
  ])('of %s is %s', (text, host) => {
    expect(hostOfUrl(text)).toBe(host)
  })
})
