// Host names of forward directives → addresses, once before the plugins are made. Names are absolute, no search path.

import { Resolver } from 'node:dns/promises'

/** A name and the servers to ask; none are the system's. */
export interface HostToResolve {
  readonly host: string
  readonly resolvers: readonly string[]
}

const timeoutMs = 2000

/** Addresses by name, IPv4 first; a name that does not resolve has none. */
export async function resolveHosts(hosts: readonly HostToResolve[]): Promise<Map<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  for (const { host, resolvers } of hosts) found.set(host, await addressesOf(host, resolvers))
  return found
}

async function addressesOf(host: string, servers: readonly string[]): Promise<string[]> {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  const both = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return both.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
}
