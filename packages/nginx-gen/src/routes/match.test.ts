// The rules of nginx for names and locations, asked of a table. That the whole is what servers answer is shown by random
// clusters in test/ingress/routes.test.ts; Lua reads the same table.

import { describe, expect, it } from 'vitest'
import { matchRoute } from './match.ts'
import type { HostEntry, HostRoutes } from './route.ts'

function host(name: string, more: Partial<HostRoutes> = {}): HostRoutes {
  const routes = ['a', 'b', 'c', 'd'].map((letter) => ({ class: `@class-${letter}`, set: ['location_path', letter] }))
  return {
    kind: 'host',
    name,
    redirects: [],
    exact: {},
    prefix: {},
    longest: 0,
    odd: [],
    patterns: [],
    routes,
    ...more,
  }
}

const table: { readonly [name: string]: HostEntry } = {
  'tea.example.org': host('tea.example.org', {
    exact: { '/exact': 1, '/both/': 0 },
    prefix: { '/': 0, '/foo/': 2, '/foo/bar/': 3 },
    longest: 9,
    redirects: [{ path: '/start', status: 302, target: [{ variable: 'scheme' }, '://moved'] }],
    routes: [
      { class: '@class-a', set: ['location_path', '/'], maxBody: 10 },
      { class: '@class-b', set: [] },
      { class: '@class-c', set: [], slash: '/foo/' },
      { class: '@class-d', set: [], slash: '/foo/bar/' },
    ],
  }),
  '*.example.org': host('*.example.org', { prefix: { '/': 1 } }),
  'other.example.org': { kind: 'alias', of: 'tea.example.org' },
  'www.example.org': { kind: 'moved', status: 308, target: ['https://example.org'] },
  'regex.example.org': host('regex.example.org', {
    patterns: [
      { start: '/x', pattern: '^/x(/|$)(.*)', route: 0 },
      { start: '', pattern: '^/', route: 1 },
    ],
    routes: [
      {
        class: '@class-a',
        set: [],
        fill: [{ variable: 'route_uri', parts: ['/', { group: 2 }] }],
        pattern: '(?i)/x(/|$)(.*)',
      },
      { class: '@class-b', set: [] },
    ],
  }),
  _: host('_', { prefix: { '/': 0 }, odd: [['/healthz', 3]] }),
}

function ask(name: string, uri: string, more: { readonly args?: string; readonly bodyBytes?: number } = {}): string {
  const match = matchRoute((one) => (Object.hasOwn(table, one) ? table[one] : undefined), {
    host: name,
    uri,
    args: '',
    variable: (variable) => (variable === 'scheme' ? 'https' : ''),
    ...more,
  })
  if (match.kind === 'none') return 'none'
  if (match.kind === 'redirect') return `${match.status} ${match.location}`
  const { route_slash: slash, route_too_large: large, route_uri: rewritten } = match.set
  return [match.class.slice(-1), slash, large && 'too large', rewritten].filter(Boolean).join(' ')
}

describe('names', () => {
  it.each([
    ['an exact name has its own routes', 'tea.example.org', 'a'],
    ['one label more goes to the masked name', 'x.example.org', 'b'],
    ['two labels more do not', 'x.y.example.org', 'a'],
    ['an alias has the routes of its host', 'other.example.org', 'a'],
    ['the other form of a www name redirects', 'www.example.org', '308 https://example.org'],
    ['everybody else gets the catch-all', 'nobody.test', 'a'],
  ])('%s', (_, name, found) => {
    expect(ask(name, '/')).toBe(found)
  })
})

describe('paths', () => {
  it.each([
    ['an exact path comes first', 'tea.example.org', '/exact', 'b'],
    ['what is below it is not it', 'tea.example.org', '/exact/x', 'a'],
    ['the longest prefix of elements has it', 'tea.example.org', '/foo/bar/x', 'd'],
    ['a longer name is no longer path', 'tea.example.org', '/foobar', 'a'],
    ['letter case counts', 'tea.example.org', '/FOO/x', 'a'],
    ['a path that lacks the slash is sent there', 'tea.example.org', '/foo', 'c /foo/'],
    ['an answer of the host comes before its paths', 'tea.example.org', '/start', '302 https://moved'],
    ['the first expression has it, and its groups', 'regex.example.org', '/X/tea', 'a /tea'],
    ['else the next one', 'regex.example.org', '/tea', 'b'],
    ['nginx answers its own paths for hosts nobody names', 'nobody.test', '/healthz/x', 'd'],
  ])('%s', (_, name, uri, found) => {
    expect(ask(name, uri)).toBe(found)
  })

  it('the query goes along to the path with a slash', () => {
    expect(ask('tea.example.org', '/foo', { args: 'a=b' })).toBe('c /foo/?a=b')
  })

  it('a body above the limit is answered before anything else', () => {
    expect(ask('tea.example.org', '/', { bodyBytes: 11 })).toBe('a too large')
  })
})
