// The pure twin of the Lua router (lua/kubewire/route.lua): which route takes a request, by the rules of nginx's server
// names and locations (reference: paths; simulate/match-location.ts says the same of a tree).

import { catchAllHost } from '../model/server.ts'
import { compilePattern } from '../simulate/pattern.ts'
import type { HostEntry, HostRoutes, RouteEntry } from './route.ts'
import { fillTemplate, type TemplatePart } from './template.ts'

/** Looks a host up; `undefined` where the table has none of that name. */
export type RouteLookup = (host: string) => HostEntry | undefined

/** What the router does with a request. */
export type RouteMatch =
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string }
  | {
      readonly kind: 'class'
      readonly class: string
      /** Variables by name. */
      readonly set: { readonly [name: string]: string }
    }
  | { readonly kind: 'none' }

/** What the router reads of a request. */
export interface RoutedRequest {
  /** Lower case, without port. */
  readonly host: string
  /** Path as nginx holds it: decoded and normalised. */
  readonly uri: string
  readonly args: string
  readonly bodyBytes?: number
  readonly variable: (name: string) => string
}

/** The route of a request. */
export function matchRoute(lookup: RouteLookup, request: RoutedRequest): RouteMatch {
  const entry = hostOf(lookup, request.host)
  if (entry === undefined) return { kind: 'none' }
  if (entry.kind === 'moved') return redirectTo(entry.status, entry.target, request)
  const answer = entry.redirects.find(({ path }) => path === request.uri)
  if (answer !== undefined) return redirectTo(answer.status, answer.target, request)
  const found = findPath(entry, request.uri)
  if (found === undefined) return { kind: 'none' }
  return { kind: 'class', class: found.route.class, set: variablesOf(entry, found, request) }
}

function hostOf(lookup: RouteLookup, host: string): Exclude<HostEntry, { kind: 'alias' }> | undefined {
  const label = /^[\w-]+(?=\.)/.exec(host)?.[0]
  const names = label === undefined ? [host] : [host, `*${host.slice(label.length)}`]
  for (const name of [...names, catchAllHost]) {
    const entry = lookup(name)
    const real = entry?.kind === 'alias' ? lookup(entry.of) : entry
    if (real !== undefined && real.kind !== 'alias') return real
  }
  return undefined
}

interface FoundPath {
  readonly route: RouteEntry
  /** The URI lacks the closing slash of the route's path. */
  readonly lacksSlash: boolean
}

function findPath(entry: HostRoutes, uri: string): FoundPath | undefined {
  const routeAt = (at: number | undefined): FoundPath | undefined => {
    const route = at === undefined ? undefined : entry.routes[at]
    return route && { route, lacksSlash: false }
  }
  const exact = routeAt(own(entry.exact, uri))
  if (exact !== undefined) return exact
  const odd = entry.odd.find(([path]) => uri.startsWith(path))
  const slashed = `${uri}/`
  const slash = routeAt(own(entry.prefix, slashed) ?? own(entry.exact, slashed))
  if (slash?.route.slash !== undefined && odd?.[0] !== uri) return { ...slash, lacksSlash: true }
  const pattern = entry.patterns.find((one) => compilePattern(one.pattern, true)?.test(uri))
  if (pattern !== undefined) return routeAt(pattern.route)
  const prefix = longestPrefix(entry, uri)
  return routeAt(odd !== undefined && odd[0].length > (prefix?.length ?? 0) ? odd[1] : own(entry.prefix, prefix ?? ''))
}

function longestPrefix(entry: HostRoutes, uri: string): string | undefined {
  for (let at = uri.length; at > 0; at--) {
    const path = uri.slice(0, at)
    if (path.endsWith('/') && own(entry.prefix, path) !== undefined) return path
  }
  return undefined
}

function variablesOf(
  entry: HostRoutes,
  { route, lacksSlash }: FoundPath,
  request: RoutedRequest,
): { readonly [name: string]: string } {
  const set: { [name: string]: string } = { route_host: entry.name }
  for (let at = 0; at < route.set.length; at += 2) set[route.set[at] ?? ''] = route.set[at + 1] ?? ''
  const groups = route.pattern === undefined ? null : compilePattern(route.pattern, false)?.exec(request.uri)
  const variable = (name: string): string => set[name] ?? request.variable(name)
  for (const { variable: name, parts } of route.fill ?? []) {
    set[name] = fillTemplate(parts, variable, (number) => groups?.[number] ?? '')
  }
  if (route.maxBody !== undefined && (request.bodyBytes ?? 0) > route.maxBody) set['route_too_large'] = '1'
  if (lacksSlash) set['route_slash'] = `${route.slash}${request.args === '' ? '' : `?${request.args}`}`
  return set
}

function redirectTo(status: number, target: readonly TemplatePart[], { variable }: RoutedRequest): RouteMatch {
  return { kind: 'redirect', status, location: fillTemplate(target, variable, () => '') }
}

function own(entries: { readonly [path: string]: number }, path: string): number | undefined {
  return Object.hasOwn(entries, path) ? entries[path] : undefined
}
