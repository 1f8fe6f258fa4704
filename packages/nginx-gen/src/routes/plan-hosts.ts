// Which hosts are data and which keep a server block of their own, and why: what nginx reads before it has the request,
// or can only hold per server, cannot be routed.

import { featureOf } from '../annotations/define.ts'
import { snippets } from '../annotations/snippets.ts'
import type { Model } from '../model/model.ts'
import { catchAllHost, type Server } from '../model/server.ts'
import type { RenderedSettings } from '../render/render-model.ts'
import { compilePattern } from '../simulate/pattern.ts'

/** What becomes of one host. */
export type HostPlan =
  | { readonly host: string; readonly kind: 'routed' }
  | { readonly host: string; readonly kind: 'static'; readonly reason: string }

/** Why the whole configuration cannot be routed; `undefined` when it can. */
export function whyNoRouter({ options, settings }: Model): string | undefined {
  if (options.balancing === 'static') return 'there is no Lua module'
  if (settings['ssl-reject-handshake']) return 'with ssl-reject-handshake nginx must know every name'
  if (settings['enable-modsecurity'] && options.modules.modsecurity !== undefined) {
    return 'ModSecurity inspects a request before its route is known'
  }
  if (/\blocation\b/.test(settings['server-snippet'])) return 'the server-snippet of all hosts holds locations'
  return undefined
}

/** Why a server must keep its block; `undefined` when it can be data. */
export function whyStatic(server: Server, model: Model, rendered: readonly RenderedSettings[]): string | undefined {
  if (server.clientAuth !== undefined) return 'client certificates are asked for per server'
  if (server.ciphers !== undefined || server.prefersServerCiphers !== undefined) return 'ciphers are set per server'
  if (server.snippet !== undefined) return 'it has a server-snippet'
  if (server.aliases.some(isPattern)) return 'an alias is a pattern'
  if (server.usesRegex && namesGroups(server, model)) return 'a snippet reads groups of its paths'
  if (rendered.some(({ body }) => body.some((node) => node.kind === 'directive' && node.name === 'modsecurity'))) {
    return 'ModSecurity inspects a request in the location that it enters first'
  }
  if (rendered.some((one) => one.server.some((node) => node.kind !== 'block' || node.name !== 'location'))) {
    return 'a feature adds directives to its server'
  }
  return undefined
}

/**
 * The plan of every host. nginx looks at the names of server blocks first, so a host that such a block covers by a
 * pattern or shares an alias with keeps its own block, too.
 */
export function planHosts(servers: readonly Server[], reasons: ReadonlyMap<Server, string>): readonly HostPlan[] {
  if (reasons.size === 0) return servers.map(({ host }) => ({ host, kind: 'routed' }))
  const own = servers.filter((server) => reasons.has(server))
  const patterns = own.flatMap(namesOf).filter(isPattern)
  const aliases = new Set(own.flatMap(({ aliases }) => aliases))
  return servers.map((server): HostPlan => {
    const { host } = server
    const reason = reasons.get(server)
    if (reason !== undefined) return { host, kind: 'static', reason }
    if (host === catchAllHost) return { host, kind: 'routed' }
    const names = namesOf(server)
    const covering = patterns.find((pattern) => names.some((name) => isPattern(name) || covers(pattern, name)))
    if (covering !== undefined) return { host, kind: 'static', reason: `the server of ${covering} would take it` }
    if (server.aliases.some((alias) => aliases.has(alias))) {
      return { host, kind: 'static', reason: 'a server shares an alias with it' }
    }
    return { host, kind: 'routed' }
  })
}

function namesOf({ host, aliases }: Server): readonly string[] {
  return [host, ...aliases]
}

function isPattern(name: string): boolean {
  return name.startsWith('~') || name.includes('*') || name.startsWith('.')
}

function covers(pattern: string, name: string): boolean {
  if (pattern.startsWith('~')) return compilePattern(pattern.slice(1), true)?.test(name) ?? true
  if (pattern.endsWith('.*')) return name.startsWith(pattern.slice(0, -1))
  return name.endsWith(pattern.replace(/^\*/, ''))
}

// `$1` of a location's own expression, or the name that a path gives a group.
function namesGroups({ locations }: Server, { settings }: Model): boolean {
  const readsGroups = (text: string | undefined): boolean => text !== undefined && /\$\{?[1-9]/.test(text)
  if (readsGroups(settings['location-snippet'])) return true
  return locations.some(
    ({ route, features }) =>
      readsGroups(featureOf(features, snippets).location) || /\(\?(?:P?<[A-Za-z_]|')/.test(route.path),
  )
}
