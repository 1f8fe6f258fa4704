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
    return text === undefined ? undefined : (JSON.parse(text) as HostEntry)
  }
}

// Entries of servers that did not change are the same objects.
const texts = new WeakMap<HostRoutes, string>()

function textOf(entry: HostRoutes): string {
  const text = texts.get(entry) ?? JSON.stringify(entry)
  texts.set(entry, text)
  return text
}
