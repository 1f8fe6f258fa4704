// One row per advisory of the original: the way in, and what became of it. Class of each in the reference's CVE table.

import type { KubeObject } from '@kubewire/kube-model'
import { describe, expect, it } from 'vitest'
import { configMap, secret } from '../testing/objects.ts'
import { locationLines, type ShopOptions, shop } from '../testing/shop.ts'

/** Refused, denied (503), or harmless: the text of the attack stands in no directive of its own. */
type Fate = 'refused' | 'denied' | 'harmless'

function fateOf(test: ShopOptions): Fate {
  const built = shop(test)
  if (built.translation.accepted.length === 0) return 'refused'
  if (/^ *(?:return 299|load_module \/tmp|alias|root|ssl_engine)/m.test(built.text)) throw new Error('injected')
  const lines = built.translation.value.servers.flatMap(({ locations }) => locations.map(({ denied }) => denied))
  return lines.some((reason) => reason !== undefined) ? 'denied' : 'harmless'
}

const annotated = (
  annotations: { readonly [name: string]: string },
  objects: readonly KubeObject[] = [],
): ShopOptions => ({
  annotations,
  objects,
})

const regexPath = (path: string): ShopOptions => ({
  path,
  pathType: 'ImplementationSpecific',
  annotations: { 'rewrite-target': '/x' },
})

describe('advisories of the original', () => {
  const rows: readonly (readonly [string, string, ShopOptions, Fate])[] = [
    ['CVE-2021-25742', 'a snippet of a tenant', annotated({ 'server-snippet': 'return 299;' }), 'refused'],
    ['CVE-2021-25745', 'a path that points at the token file', { path: '/var/run/secrets/x' }, 'refused'],
    ['CVE-2021-25746', 'a directive in an annotation', annotated({ 'proxy-body-size': '1m; return 299' }), 'harmless'],
    ['CVE-2021-25748', 'a path with a line break', { path: '/x\nreturn 299;' }, 'refused'],
    ['CVE-2022-4886', 'a path with a log_format', { path: '/x;} log_format a "b"; location /y {' }, 'harmless'],
    [
      'CVE-2023-5043',
      'a snippet by an annotation of another kind',
      annotated({ 'upstream-vhost': 'a;return 299' }),
      'refused',
    ],
    [
      'CVE-2023-5044',
      'a directive in permanent-redirect',
      annotated({ 'permanent-redirect': 'https://a;return 299;' }),
      'refused',
    ],
    ['CVE-2024-7646', 'a carriage return', annotated({ 'auth-url': 'http://a.example/\rreturn 299;' }), 'refused'],
    [
      'CVE-2025-1097',
      'a subject pattern with a directive',
      annotated({ 'auth-tls-secret': 'shop/ca', 'auth-tls-match-cn': 'CN=a #(\n){}\n' }),
      'refused',
    ],
    [
      'CVE-2025-1098',
      'a mirror target with a directive',
      annotated({ 'mirror-target': 'http://a.example;return 299' }),
      'refused',
    ],
    [
      'CVE-2025-15566',
      'a directive in a header ConfigMap',
      annotated({ 'auth-url': 'http://a.example', 'auth-proxy-set-headers': 'h' }, [
        configMap('shop/h', { 'X-A': 'b";\nreturn 299;' }),
      ]),
      'denied',
    ],
    [
      'CVE-2025-24513',
      'a Secret name that climbs out of its folder',
      annotated({ 'auth-type': 'basic', 'auth-secret': '../../etc/passwd' }),
      'denied',
    ],
    ['CVE-2025-24514', 'a URL with a directive', annotated({ 'auth-url': 'http://a.example/#;return 299' }), 'refused'],
    [
      'CVE-2026-1580',
      'a method with something behind it',
      annotated({ 'auth-url': 'http://a.example', 'auth-method': 'GET;return 299' }),
      'denied',
    ],
    ['CVE-2026-24512', 'a path with quotes and backslashes', { path: '/a\\"; return 299; #' }, 'harmless'],
    ['CVE-2026-3288', 'the same path as a rewrite pattern', regexPath('/a" /x break; return 299; #'), 'harmless'],
    ['CVE-2026-4342', 'a path that ends a comment', { path: '/x\n}return 299;#' }, 'refused'],
  ]
  it.each(rows)('%s: %s', (_, __, test, fate) => {
    expect(fateOf(test)).toBe(fate)
  })

  it('CVE-2020-8553: password files of two Ingresses never share a name', () => {
    const fileOf = (data: { readonly [key: string]: string }): string | undefined => {
      const objects = [secret('shop/s', data)]
      return shop({ annotations: { 'auth-type': 'basic', 'auth-secret': 's' }, objects }).translation.value.files[0]
        ?.name
    }
    expect(fileOf({ auth: 'ada:1' })).not.toBe(fileOf({ auth: 'ada:2' }))
  })

  it('CVE-2026-24513: an error page cannot turn a refusal of the authentication service into a permission', () => {
    const built = shop({
      annotations: { 'auth-url': 'http://a.example' },
      configMap: { 'custom-http-errors': '401,403,500' },
    })
    const asked = /location = \/_external-auth-[0-9a-f]+ \{[^}]*\}/.exec(built.text)?.[0] ?? ''
    expect(asked).toContain('error_page 306 /;')
    expect(asked).toContain('proxy_intercept_errors off;')
    expect(locationLines(built).join()).toContain('auth_request')
  })
})
