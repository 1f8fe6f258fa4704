import { describe, expect, it } from 'vitest'
import { locationLines, shop } from '../testing/shop.ts'

describe('proxy-* annotations', () => {
  const rows: readonly (readonly [string, string, string, string])[] = [
    ['a read timeout is in seconds', 'proxy-read-timeout', '13', 'proxy_read_timeout 13s'],
    ['a body size keeps its unit', 'proxy-body-size', '8m', 'client_max_body_size 8m'],
    ['no limit of the body is 0', 'proxy-body-size', '0', 'client_max_body_size 0'],
    ['a unit of bytes is dropped, nginx has none', 'proxy-buffer-size', '8192b', 'proxy_buffer_size 8192'],
    [
      'gibibytes of memory are mebibytes, nginx knows no others',
      'client-body-buffer-size',
      '1g',
      'client_body_buffer_size 1024m',
    ],
    ['buffering can be switched on', 'proxy-buffering', 'on', 'proxy_buffering on'],
    [
      'a cookie domain is rewritten',
      'proxy-cookie-domain',
      'in.example out.example',
      'proxy_cookie_domain in.example out.example',
    ],
    [
      'a cookie domain may have a port',
      'proxy-cookie-domain',
      'in.example:8080 out.example',
      'proxy_cookie_domain in.example:8080 out.example',
    ],
    [
      'retries of POST come last',
      'proxy-next-upstream',
      'non_idempotent error',
      'proxy_next_upstream error non_idempotent',
    ],
    [
      'redirects of the backend are rewritten by default rules',
      'proxy-redirect-from',
      'default',
      'proxy_redirect default',
    ],
    ['the answer may be slowed down', 'limit-rate', '50', 'limit_rate 50k'],
  ]
  it.each(rows)('%s', (_, name, value, line) => {
    const built = shop({ annotations: { [name]: value } })
    expect(locationLines(built)).toContain(line)
    expect(built.problems).toEqual([])
  })

  it.each([
    ['one buffer', { 'proxy-buffers-number': '2' }],
    ['buffers of nothing', { 'proxy-buffer-size': '0' }],
    ['busy buffers smaller than one', { 'proxy-busy-buffers-size': '1k' }],
    ['busy buffers larger than all but one', { 'proxy-busy-buffers-size': '1m' }],
    ['a temporary file smaller than a buffer', { 'proxy-max-temp-file-size': '1k' }],
  ])('%s, which nginx refuses, set the Ingress aside', (_, annotations) => {
    expect(shop({ annotations }).translation.accepted).toEqual([])
  })

  it('a body size in bytes leaves the limit of nginx, whatever the ConfigMap says', () => {
    const built = shop({ annotations: { 'proxy-body-size': '16b' }, configMap: { 'proxy-body-size': '8m' } })
    expect(locationLines(built)).toContain('client_max_body_size 1m')
  })

  it('larger buffers alone are taken', () => {
    expect(shop({ annotations: { 'proxy-buffer-size': '128k' } }).problems).toEqual([])
  })

  it('a value equal to the default is not repeated in the location', () => {
    expect(locationLines(shop({ annotations: { 'proxy-read-timeout': '60' } })).join('\n')).not.toContain(
      'proxy_read_timeout',
    )
  })

  it('half a rewriting of redirects leaves nginx its default', () => {
    const annotations = { 'proxy-redirect-from': 'http://a.example/' }
    expect(locationLines(shop({ annotations }))).toContain('proxy_redirect default')
  })

  it('the default redirect rules stand behind the proxy_pass they are computed from', () => {
    const lines = locationLines(shop({ annotations: { 'proxy-redirect-from': 'default' } }))
    expect(lines.indexOf('proxy_redirect default')).toBeGreaterThan(
      lines.indexOf('proxy_pass http://upstream_balancer'),
    )
  })

  const bad: readonly (readonly [string, string, string])[] = [
    ['a time with a unit', 'proxy-read-timeout', '10s'],
    ['a word for a size', 'proxy-body-size', 'big'],
    ['yes for on', 'proxy-buffering', 'yes'],
    ['one word for a cookie path', 'proxy-cookie-path', '/one'],
    ['a condition nginx does not know', 'proxy-next-upstream', 'sometimes'],
    ['a line break', 'proxy-body-size', '1m\n2m'],
  ]
  it.each(bad)('%s is ignored with a problem', (_, name, value) => {
    const built = shop({ annotations: { [name]: value } })
    expect(locationLines(built)).toEqual(locationLines(shop()))
    expect(built.problems.map(({ code }) => code)).toEqual(['NGX_ANNOTATION_VALUE'])
  })

  it('a bad client-body-buffer-size refuses the whole Ingress', () => {
    const built = shop({ annotations: { 'client-body-buffer-size': 'big' } })
    expect(built.translation.refused).toEqual([{ kind: 'Ingress', namespace: 'shop', name: 'front' }])
    expect(locationLines(built)).toEqual([])
  })
})
