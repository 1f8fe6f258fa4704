import { describe, expect, it } from 'vitest'
import { describeRequests } from '../testing/describe-requests.ts'
import { locationHeads, locationLines, serverLines, shop } from '../testing/shop.ts'

const captured = shop({
  path: '/something(/|$)(.*)',
  pathType: 'ImplementationSpecific',
  annotations: { 'rewrite-target': '/$2' },
})

describeRequests('a rewrite with a group of the path', captured.tree, [
  ['tea.example/something', 'backend shop-tea-80 /', 'nothing behind the path gives the root'],
  ['tea.example/something/', 'backend shop-tea-80 /', 'a slash behind the path gives the root'],
  ['tea.example/something/new', 'backend shop-tea-80 /new', 'what is behind the path stays'],
])

describe('rewrite-target', () => {
  it('makes the whole host match by expressions', () => {
    expect(locationHeads(captured)).toEqual(['location ~* ^/something(/|$)(.*)', 'location ~* ^/'])
  })

  it('equal to the path changes nothing', () => {
    const same = shop({ annotations: { 'rewrite-target': '/' } })
    expect(locationLines(same).filter((line) => line.startsWith('rewrite '))).toEqual([])
    expect(locationHeads(same)).toEqual(['location /'])
  })

  it('equal to a path that is split makes the host match by expressions and rewrites below it', () => {
    const same = shop({ path: '/same', annotations: { 'rewrite-target': '/same' } })
    expect(locationHeads(same)).toEqual(['location ~* ^/same/', 'location ~* ^/same', 'location ~* ^/'])
    expect(locationLines(same, 'location ~* ^/same/')).toContain('rewrite (?i)/same/ /same break')
    expect(locationLines(same, 'location ~* ^/same').join()).not.toContain('rewrite (')
  })

  it('sends X-Forwarded-Prefix only where it rewrites', () => {
    const rewritten = shop({ path: '/a', annotations: { 'rewrite-target': '/b', 'x-forwarded-prefix': '/a' } })
    expect(locationLines(rewritten, 'location ~* ^/a')).toContain('proxy_set_header X-Forwarded-Prefix /a')
    expect(shop({ annotations: { 'x-forwarded-prefix': '/a' } }).text).not.toContain('X-Forwarded-Prefix')
  })

  const refused: readonly (readonly [string, { readonly [name: string]: string }, string])[] = [
    ['a variable that nginx does not know', { 'rewrite-target': '/$nothing' }, '/a'],
    ['a dollar without a name', { 'rewrite-target': '/a$' }, '/a'],
    ['a path that does not compile as an expression', { 'use-regex': 'true' }, '/menu/((hot|cold)/?$'],
  ]
  it.each(refused)('%s refuses the Ingress', (_, annotations, path) => {
    const built = shop({ annotations, path, pathType: 'ImplementationSpecific' })
    expect(built.translation.accepted).toEqual([])
    expect(built.problems[0]?.fallback).toBe('the Ingress is set aside, all others go on')
  })
})

describe('app-root', () => {
  it('redirects the root of the host', () => {
    expect(serverLines(shop({ annotations: { 'app-root': '/app' } }))).toContain('return 302 $scheme://$http_host/app')
  })

  it('may begin with two slashes: the host stands before them', () => {
    expect(serverLines(shop({ annotations: { 'app-root': '//x' } }))).toContain('return 302 $scheme://$http_host//x')
  })

  it('also where the location is denied', () => {
    const annotations = { 'app-root': '/app', 'auth-type': 'basic', 'auth-secret': 'gone' }
    const built = shop({ annotations })
    expect(serverLines(built)).toContain('return 302 $scheme://$http_host/app')
    expect(locationLines(built)).toContain('return 503')
  })

  it.each([['https://evil.example'], ['app']])('%s is no path and is ignored', (value) => {
    const built = shop({ annotations: { 'app-root': value } })
    expect(serverLines(built).join('\n')).not.toContain('return 302')
    expect(built.problems).toHaveLength(1)
  })
})
