// The table that the router reads: an entry for each name of a routed host, as JSON.

import type { Server } from '../model/server.ts'
import type { RouteLookup } from './match.ts'
import type { HostEntry, HostMoved, HostRoutes } from './route.ts'

/** Host name → JSON of its `HostEntry`. */
export interface RouteTable {
  readonly [host: string]: string
}

/** The table of these hosts and of those that only redirect. Where two claim a name, the first in the file has it. */
export function routeTable(
  hosts: readonly { readonly server: Server; readonly entry: HostRoutes }[],
  moved: readonly (readonly [host: string, entry: HostMoved])[],
): RouteTable {
  const table = new Map<string, string>()
  const put = (name: string, text: string): void => {
    if (!table.has(name)) table.set(name, text)
  }
  for (const [name, entry] of moved) put(name.toLowerCase(), JSON.stringify(entry))
  for (const { server, entry } of hosts) put(server.host.toLowerCase(), textOf(entry))
  for (const { server } of hosts) {
    const alias: HostEntry = { kind: 'alias', of: server.host.toLowerCase() }
    for (const name of server.aliases) put(name.toLowerCase(), JSON.stringify(alias))
  }
  return Object.fromEntries(table)
}

/** Reads a table as the router does. */
export function lookupIn(table: RouteTable): RouteLookup {
  return (host) => {
    const text = Object.hasOwn(table, host) ? table[host] : undefined
    if (text === undefined) return undefined
    const entry = JSON.parse(text) as HostEntry
    return entry.kind === 'host' ? { ...emptyParts, ...entry } : entry
  }
}

// Most hosts have a path or two and nothing else: what is empty is not written, and both readers put it back (the router
// one table for all, lua/kubewire/routes.lua).
const emptyParts = { redirects: [], exact: {}, prefix: {}, odd: [], patterns: [] } as const

// Entries of servers that did not change are the same objects.
const texts = new WeakMap<HostRoutes, string>()

function textOf(entry: HostRoutes): string {
  const known = texts.get(entry)
  if (known !== undefined) return known
  const { kind, name, redirects, exact, prefix, longest, odd, patterns, routes } = entry
  const text = JSON.stringify({
    kind,
    name,
    redirects: redirects.length > 0 ? redirects : undefined,
    exact: hasKeys(exact) ? exact : undefined,
    prefix: hasKeys(prefix) ? prefix : undefined,
    longest,
    odd: odd.length > 0 ? odd : undefined,
    patterns: patterns.length > 0 ? patterns : undefined,
    routes,
  })
  texts.set(entry, text)
  return text
}

function hasKeys(entries: object): boolean {
  for (const _ in entries) return true
  return false
}
