// Health check node ports: one small server a Service. Ports follow the services after every successful sync.

import { type Endpoints, type Log, serveEndpoints } from '@kubewire/daemon-kit'
import { type HealthCheck, healthCheckAnswer } from '@kubewire/iptables-gen'

/** What the servers need. */
export interface HealthPortsOptions {
  /** Addresses to listen on: all of the family, or the node-port addresses. */
  readonly addresses: readonly string[]
  readonly isProxyHealthy: () => boolean
  readonly log: Log
  /** Nobody could listen: warned about on the Service, tried again at the next sync. */
  readonly onListenFailure: (service: { readonly namespace: string; readonly name: string }, message: string) => void
}

/** The servers of one family. */
export interface HealthPorts {
  /** Opens and closes ports. A changed port closes and opens anew; its count starts at 0. */
  setServices(
    services: ReadonlyMap<string, { readonly namespace: string; readonly name: string; readonly port: number }>,
  ): Promise<void>
  /** Counts by `namespace/name`; a service that is missing here drops to 0. */
  setCounts(counts: ReadonlyMap<string, number>): void
  readonly ports: readonly number[]
  close(): Promise<void>
}

interface OpenPort {
  readonly port: number
  readonly servers: readonly Endpoints[]
  count: number
}

/** No port is open at first. */
export function createHealthPorts(options: HealthPortsOptions): HealthPorts {
  const open = new Map<string, OpenPort>()
  const closePort = async (key: string): Promise<void> => {
    const entry = open.get(key)
    open.delete(key)
    await Promise.all((entry?.servers ?? []).map((server) => server.close()))
  }
  return {
    async setServices(services) {
      for (const [key, entry] of [...open]) if (services.get(key)?.port !== entry.port) await closePort(key)
      for (const [key, service] of services) {
        if (open.has(key)) continue
        const entry: OpenPort = { port: service.port, servers: [], count: 0 }
        const servers = await listen(service, () => entry.count, options)
        if (servers !== undefined) open.set(key, Object.assign(entry, { servers }))
      }
    },
    setCounts(counts) {
      for (const [key, entry] of open) entry.count = counts.get(key) ?? 0
    },
    get ports() {
      return [...open.values()].map((entry) => entry.port).sort((a, b) => a - b)
    },
    async close() {
      await Promise.all([...open.keys()].map(closePort))
    },
  }
}

async function listen(
  service: { readonly namespace: string; readonly name: string; readonly port: number },
  count: () => number,
  options: HealthPortsOptions,
): Promise<readonly Endpoints[] | undefined> {
  const answer = () => {
    const { status, headers, body } = healthCheckAnswer(service, count(), options.isProxyHealthy())
    const { 'Content-Type': contentType = '', ...rest } = headers
    return { status, contentType, headers: rest, body }
  }
  const servers: Endpoints[] = []
  try {
    for (const address of options.addresses) {
      const place = { address, port: service.port, isIpv6Only: true }
      // Any request is answered, whatever it carries.
      servers.push(
        await serveEndpoints({ ...place, routes: { '/': answer }, maxBodyBytes: 64 * 1024, log: options.log }),
      )
    }
    return servers
  } catch (error) {
    await Promise.all(servers.map((server) => server.close()))
    options.onListenFailure(service, error instanceof Error ? error.message : String(error))
    return undefined
  }
}

/** Counts of `healthChecks`, as `setCounts` takes them. */
export function countsOf(checks: ReadonlyMap<string, HealthCheck>): ReadonlyMap<string, number> {
  return new Map([...checks].map(([key, check]) => [key, check.localEndpoints]))
}
