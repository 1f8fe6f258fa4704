// A server of the model as the data of its host.

import type { HostRedirect } from '../annotations/define.ts'
import type { Location } from '../model/location.ts'
import type { Server, WwwRedirect } from '../model/server.ts'
import type { RenderModel } from '../render/render-model.ts'
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

/** The routes of a server. */
export function hostRoutes(server: Server, render: RenderModel, splitOnce: SplitOnce): RoutedHost {
  const locations = server.locations.map((location) => splitLocation(location, server, render, splitOnce))
  const { routes, numbers } = withoutTwins(locations.map(({ route }) => route))
  const numbered = server.locations.map((location, at) => ({ location, at: numbers[at] ?? 0 }))
  const pathsOf = (match: Location['route']['match']): { readonly [path: string]: number } =>
    Object.fromEntries(
      numbered
        .filter(({ location }) => location.route.match === match)
        .map(({ location, at }) => [location.route.path, at]),
    )
  const prefix = pathsOf('prefix')
  const patterns: readonly PathPattern[] = numbered
    .filter(({ location }) => location.route.match === 'regex')
    .map(({ location, at }) => patternOf(location, at))
  return {
    locations,
    classes: [...new Set(locations.map(({ settingsClass }) => settingsClass))],
    entry: {
      kind: 'host',
      name: server.host,
      redirects: redirectsOf(locations),
      exact: pathsOf('exact'),
      prefix,
      longest: Math.max(0, ...Object.keys(prefix).map(byteLength)),
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
  const all = locations.flatMap(({ settings }) => settings.redirects)
  const first = all.filter(({ path }, at) => all.findIndex((one) => one.path === path) === at)
  return first.map(({ path, status, target }: HostRedirect) => ({ path, status, target: parseTemplate(target.text) }))
}

// A Prefix rule is two locations with one route, all but the answer to a missing slash.
function withoutTwins(all: readonly RouteEntry[]): {
  readonly routes: readonly RouteEntry[]
  readonly numbers: readonly number[]
} {
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

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}
