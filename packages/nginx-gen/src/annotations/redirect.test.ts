import { describe, expect, it } from 'vitest'
import { locationLines, shop } from '../testing/shop.ts'

describe('redirects', () => {
  const rows: readonly (readonly [string, { readonly [name: string]: string }, string])[] = [
    [
      'a permanent redirect is 301',
      { 'permanent-redirect': 'https://new.example/x' },
      'return 301 https://new.example/x',
    ],
    [
      'its status can be chosen',
      { 'permanent-redirect': 'https://new.example', 'permanent-redirect-code': '308' },
      'return 308 https://new.example',
    ],
    [
      'a status out of range is 301',
      { 'permanent-redirect': 'https://new.example', 'permanent-redirect-code': '404' },
      'return 301 https://new.example',
    ],
    ['a temporal redirect is 302', { 'temporal-redirect': 'http://new.example' }, 'return 302 http://new.example'],
    [
      'a temporal redirect beats a permanent one',
      { 'permanent-redirect': 'https://a.example', 'temporal-redirect': 'https://b.example' },
      'return 302 https://b.example',
    ],
    ['redirects of nginx may be relative', { 'relative-redirects': 'true' }, 'absolute_redirect off'],
  ]
  it.each(rows)('%s', (_, annotations, line) => {
    expect(locationLines(shop({ annotations }))).toContain(line)
  })

  it.each([
    ['a target that is not http is none', { 'temporal-redirect': 'ftp://new.example' }, 'return'],
    ['nor is one without a scheme', { 'temporal-redirect': 'http.example' }, 'return'],
    [
      'such a target takes a permanent one with it',
      { 'temporal-redirect': '/x', 'permanent-redirect': 'https://new.example' },
      'return',
    ],
    ['relative-redirects takes nothing from the ConfigMap', { 'relative-redirects': 'false' }, 'absolute_redirect on'],
  ])('%s', (_, annotations, absent) => {
    const built = shop({ annotations, configMap: { 'relative-redirects': 'true' } })
    expect(built.translation.accepted).toHaveLength(1)
    expect(locationLines(built).join()).not.toContain(absent)
  })

  it.each([
    ['a directive is no URL', { 'permanent-redirect': 'https://x.example; return 299' }],
    ['a variable is no URL', { 'permanent-redirect': 'https://$host' }],
  ])('%s, which refuses the Ingress', (_, annotations) => {
    expect(shop({ annotations }).translation.accepted).toEqual([])
  })

  it('says why a variable is refused', () => {
    const { problems } = shop({ annotations: { 'permanent-redirect': 'https://new.example$request_uri' } })
    expect(problems[0]?.message).toContain('without nginx variables')
  })
})
