// Random clusters of Ingresses and random requests to them, the same for the same seed: hosts that share paths, rewrites,
// redirects, access rules and names, asked in ways that nginx normalises.

import type { KubeObject } from '@kubewire/kube-model'
import { endpointSlice, ingress, service } from '@kubewire/kube-model/testing'

/** A whole number from 0, below the given one. */
export type Random = (below: number) => number

/** One request to a world. */
export interface WorldRequest {
  readonly host: string
  readonly path: string
  readonly method: string
  readonly headers: { readonly [name: string]: string }
  /** Bytes of a body. */
  readonly bodySize: number
}

/** Services of a world by the address of their one endpoint; the last has none. */
export const worldBackends: { readonly [name: string]: string | undefined } = {
  tea: '10.20.3.4',
  milk: '10.20.3.5',
  empty: undefined,
}

const prefix = 'nginx.ingress.kubernetes.io/'
const hosts = [
  'tea.example.org',
  'milk.example.org',
  'api.tea.example.org',
  '*.tea.example.org',
  'www.tea.example.org',
  '',
]
const paths = ['/', '/foo', '/foo/', '/foo/bar', '/Foo', '/a b', '/über', '/x(/|$)(.*)', '/[a-z]+/y', '/foo.bar']
const targets = ['/', '/$2', '/new/$1', '/$uri/$1', '/foo']

const wishes: readonly { readonly [name: string]: string }[] = [
  {},
  {},
  { 'use-regex': 'true' },
  { 'rewrite-target': '/$2' },
  { 'app-root': '/start' },
  { 'permanent-redirect': 'https://new.example.org/moved' },
  { 'temporal-redirect': 'http://new.example.org/', 'temporal-redirect-code': '307' },
  { 'proxy-body-size': '1k' },
  { 'upstream-vhost': 'inner.example.org' },
  { 'upstream-vhost': '$service_name.$namespace.svc' },
  { 'enable-cors': 'true', 'cors-allow-origin': 'https://shop.example.org' },
  { 'enable-cors': 'true' },
  { 'force-ssl-redirect': 'true' },
  { 'denylist-source-range': '127.0.0.1' },
  { 'allowlist-source-range': '127.0.0.0/8' },
  { 'server-alias': 'other.example.org' },
  { 'from-to-www-redirect': 'true' },
  { 'relative-redirects': 'true' },
  { 'use-port-in-redirects': 'true' },
  { 'auth-type': 'basic', 'auth-secret': 'missing' },
  { 'ssl-ciphers': 'HIGH' },
  { 'custom-http-errors': '404,503', 'default-backend': 'milk' },
  { 'proxy-redirect-from': 'http://a.example.org/', 'proxy-redirect-to': '/b/' },
  { 'x-forwarded-prefix': '/pre', 'rewrite-target': '/$1' },
  { 'limit-rps': '100000' },
  { 'enable-access-log': 'false' },
]

/** Numbers that look random and are the same for the same seed. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** A cluster of a few Ingresses. */
export function randomObjects(random: Random): readonly KubeObject[] {
  const ports = [{ port: 80, targetPort: 8080, protocol: 'TCP' as const }]
  const count = 1 + random(6)
  return [
    ...Object.entries(worldBackends).flatMap(([name, address]) => [
      service(`shop/${name}`, { ports }),
      endpointSlice(`shop/${name}`, address === undefined ? [] : [address]),
    ]),
    ...Array.from({ length: count }, (_, at) => randomIngress(at, random)),
  ] as readonly KubeObject[]
}

function randomIngress(at: number, random: Random): KubeObject {
  const path = (): object => ({
    path: one(paths, random),
    pathType: one(['Exact', 'Prefix', 'Prefix', 'ImplementationSpecific'], random),
    backend: { service: { name: one(['tea', 'tea', 'milk', 'empty'], random), port: { number: 80 } } },
  })
  const rule = (): object => {
    const host = one(hosts, random)
    return {
      ...(host === '' ? {} : { host }),
      http: { paths: Array.from({ length: 1 + random(3) }, path) },
    }
  }
  const wish = { ...one(wishes, random), ...(random(3) === 0 ? one(wishes, random) : {}) }
  const drawn = 'rewrite-target' in wish ? { ...wish, 'rewrite-target': one(targets, random) } : wish
  const named = Object.fromEntries(Object.entries(drawn).map(([name, value]) => [prefix + name, value]))
  const spec = { rules: Array.from({ length: 1 + random(2) }, rule) }
  const made = ingress(`shop/i${at}`, spec as Parameters<typeof ingress>[1], named)
  const creationTimestamp = `2026-01-01T00:00:0${at}Z`
  return { ...made, metadata: { ...made.metadata, creationTimestamp } } as KubeObject
}

const askedHosts = [
  ...['tea.example.org', 'milk.example.org', 'api.tea.example.org', 'x.tea.example.org', 'x.y.tea.example.org'],
  ...['other.example.org', 'www.milk.example.org', 'nobody.example.org', 'TEA.example.org', 'tea.example.org:80'],
]
const askedPaths = [
  ...[
    '/',
    '/foo',
    '/foo/',
    '/foo/bar',
    '/foo/bar/',
    '/foobar',
    '/FOO',
    '/Foo/x',
    '/a%20b',
    '/%C3%BCber/x',
    '/x',
    '/x/',
  ],
  ...[
    '/x/y/z',
    '/xyz',
    '/abc/y',
    '/foo.bar',
    '/fooxbar',
    '//foo',
    '/foo//bar',
    '/foo/../foo/bar',
    '/%66oo',
    '/foo%2Fbar',
  ],
  ...['/start', '/healthz', '/nothing/here', '/foo?a=b', '/x/y?a=%20b&c', '/foo/bar?'],
]

/** Requests to such clusters. */
export function randomRequests(random: Random, count: number): readonly WorldRequest[] {
  return Array.from({ length: count }, () => {
    const isCors = random(6) === 0
    const origin = one(['https://shop.example.org', 'https://evil.example.org'], random)
    return {
      host: one(askedHosts, random),
      path: one(askedPaths, random),
      method: isCors ? 'OPTIONS' : 'GET',
      headers: isCors ? { origin } : {},
      bodySize: random(12) === 0 ? 3000 : 0,
    }
  })
}

function one<T>(list: readonly T[], random: Random): T {
  return list[random(list.length)] as T
}
