// A server of the model as the data of its host.

import type { HostRedirect } from '../annotations/define.ts'
import { byteLength } from '../config/byte-length.ts'
import type { Server, WwwRedirect } from '../model/server.ts'
import type { RenderedSettings, RenderModel } from '../render/render-model.ts'
import type { HostMoved, HostRoutes, PathPattern, RouteEntry } from './route.ts'
import type { SettingsClass } from './settings-class.ts'
import { patternOf, type SplitLocation, type SplitOnce, splitLocation } from './split.ts'
import { parseTemplate } from './template.ts'

/** A host as data, with the classes that its routes enter. */
export interface RoutedHost {
  readonly entry: HostRoutes
  readonly classes: readonly SettingsClass[]
  readonly locations: readonly SplitLocation[]
}

/**
 * The routes of a server.
 *
 * @param settings - of its locations, in their order
 */
export function hostRoutes(
  server: Server,
  settings: readonly RenderedSettings[],
  render: RenderModel,
  splitOnce: SplitOnce,
): RoutedHost {
  const locations = server.locations.map((location, at) => {
    return splitLocation(location, settings[at] as RenderedSettings, server, render, splitOnce)
  })
  const { routes, numbers } = withoutTwins(locations)
  const byMatch = { exact: new Map<string, number>(), prefix: new Map<string, number>() }
  const patterns: PathPattern[] = []
  let longest = 0
  for (const [at, location] of server.locations.entries()) {
    const { match, path } = location.route
    const number = numbers[at] ?? 0
    if (match === 'regex') patterns.push(patternOf(location, number))
    else byMatch[match].set(path, number)
    if (match === 'prefix') longest = Math.max(longest, byteLength(path))
  }
  return {
    locations,
    classes: [...new Set(locations.map(({ settingsClass }) => settingsClass))],
    entry: {
      kind: 'host',
      name: server.host,
      redirects: redirectsOf(locations),
      exact: Object.fromEntries(byMatch.exact),
      prefix: Object.fromEntries(byMatch.prefix),
      longest,
      odd: [],
      patterns,
      routes,
    },
  }
}

/** A host that only redirects. The port is always written, a slash at the end never. */
export function movedHost({ to }: WwwRedirect, status: number): HostMoved {
  return {
    kind: 'moved',
    status,
    target: parseTemplate(`$pass_access_scheme://${to}:$pass_server_port$slashless_uri`),
  }
}

/** A host with paths that nginx itself answers: prefixes, whether they end in a slash or not. */
export function withOddPaths(
  entry: HostRoutes,
  odd: readonly { readonly path: string; readonly route: RouteEntry }[],
): HostRoutes {
  const taken = odd.filter(({ path }) => entry.prefix[path] === undefined)
  return {
    ...entry,
    odd: taken
      .map(({ path }, at) => [path, entry.routes.length + at] as const)
      .sort(([a], [b]) => byteLength(b) - byteLength(a)),
    routes: [...entry.routes, ...taken.map(({ route }) => route)],
  }
}

// Of several answers to one path the first holds, as in the file.
function redirectsOf(locations: readonly SplitLocation[]): HostRoutes['redirects'] {
  const byPath = new Map<string, HostRedirect>()
  for (const { settings } of locations) {
    for (const one of settings.redirects) if (!byPath.has(one.path)) byPath.set(one.path, one)
  }
  return [...byPath.values()].map(({ path, status, target }) => ({ path, status, target: parseTemplate(target.text) }))
}

// A Prefix rule is two locations with one route, all but the answer to a missing slash.
function withoutTwins(locations: readonly SplitLocation[]): {
  readonly routes: readonly RouteEntry[]
  readonly numbers: readonly number[]
} {
  const all = locations.map(({ route }) => route)
  if (all.length === 1) return { routes: all, numbers: [0] }
  const known = new Map<string, number>()
  const routes: RouteEntry[] = []
  const numbers = all.map((route) => {
    const text = JSON.stringify(route)
    const found = known.get(text) ?? routes.push(route) - 1
    known.set(text, found)
    return found
  })
  return { routes, numbers }
}
