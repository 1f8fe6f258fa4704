// The HTTP servers of health, ready and prometheus, kept over reloads by address.

import { type Endpoints, type Log, serveEndpoints } from '@kubewire/daemon-kit'
import type { DnsServer, HealthConfig, MetricsPort, PrometheusConfig, ReadyConfig } from '@kubewire/dns-core'
import { probeHealth } from './probe-health.ts'
import { readWebConfig } from './web-config.ts'

/** What the routes read; changes at a reload or at the end. */
export interface HttpState {
  server: DnsServer
  isShuttingDown: boolean
  metricsText(): Promise<string>
  /** Plugins that are not ready in any process of the group; absent where there is no group. */
  waiting?(): Promise<readonly string[]>
}

/** The open servers. */
export interface HttpServers {
  /** Opens what a server's plugins ask for and closes the rest. Rejects when an address cannot be bound. */
  switchTo(server: DnsServer): Promise<void>
  close(): Promise<void>
}

type Route = 'health' | 'ready' | 'prometheus'

/** No servers yet. */
export function createHttpServers(state: HttpState, log: Log, metrics: MetricsPort): HttpServers {
  const open = new Map<string, OpenEndpoints>()
  const wasReady = new Set<string>()
  return {
    async switchTo(server) {
      wasReady.clear()
      const wanted = wantedRoutes(server)
      for (const [key, route] of wanted) {
        if (open.has(key)) continue
        const { address, port } = splitAddress(key.slice(route.length + 1))
        const monitor = monitorOf(server)
        const tlsConfig = route === 'prometheus' ? tlsConfigOf(server, key) : undefined
        const endpoints = await serveEndpoints({
          address,
          port,
          log,
          routes: routesOf(route, state, wasReady, monitor),
          ...(tlsConfig === undefined ? {} : { tls: readWebConfig(tlsConfig) }),
        })
        const stopProbing = route === 'health' ? probeHealth({ address, port }, metrics, log) : undefined
        open.set(key, { endpoints, stopProbing })
      }
      for (const [key, one] of [...open]) {
        if (wanted.has(key)) continue
        open.delete(key)
        await closeEndpoints(one)
      }
    },
    async close() {
      await Promise.all([...open.values()].map(closeEndpoints))
      open.clear()
    },
  }
}

interface OpenEndpoints {
  readonly endpoints: Endpoints
  readonly stopProbing: (() => void) | undefined
}

function closeEndpoints({ endpoints, stopProbing }: OpenEndpoints): Promise<void> {
  stopProbing?.()
  return endpoints.close()
}

function wantedRoutes(server: DnsServer): Map<string, Route> {
  const wanted = new Map<string, Route>()
  for (const { definition, config } of server.blocks.flatMap(({ plan }) => plan.plugins)) {
    if (definition.name !== 'health' && definition.name !== 'ready' && definition.name !== 'prometheus') continue
    const { address } = config as HealthConfig | ReadyConfig | PrometheusConfig
    wanted.set(`${definition.name} ${address}`, definition.name)
  }
  return wanted
}

/** The file with the certificate of a metrics server. */
function tlsConfigOf(server: DnsServer, key: string): string | undefined {
  const plugins = server.blocks.flatMap(({ plan }) => plan.plugins)
  const configs = plugins.filter(({ definition }) => definition.name === 'prometheus').map(({ config }) => config)
  return (configs as readonly PrometheusConfig[]).find(({ address }) => `prometheus ${address}` === key)?.tlsConfig
}

function monitorOf(server: DnsServer): ReadyConfig['monitor'] {
  const plugins = server.blocks.flatMap(({ plan }) => plan.plugins)
  const config = plugins.find(({ definition }) => definition.name === 'ready')?.config as ReadyConfig | undefined
  return config?.monitor ?? 'until-ready'
}

function routesOf(
  route: Route,
  state: HttpState,
  wasReady: Set<string>,
  monitor: ReadyConfig['monitor'],
): Parameters<typeof serveEndpoints>[0]['routes'] {
  switch (route) {
    case 'health':
      return { '/health': () => ({ body: 'OK' }) }
    case 'prometheus':
      return {
        '/metrics': async () => ({
          contentType: 'text/plain; version=0.0.4; charset=utf-8',
          body: await state.metricsText(),
        }),
      }
    case 'ready':
      return {
        '/ready': async () => {
          if (state.isShuttingDown) return { status: 503, body: 'Shutting down' }
          const waiting = await notReadyAnywhere(state, wasReady, monitor)
          return waiting.length === 0 ? { body: 'OK' } : { status: 503, body: waiting.join(',') }
        },
      }
  }
}

async function notReadyAnywhere(
  state: HttpState,
  wasReady: Set<string>,
  monitor: ReadyConfig['monitor'],
): Promise<readonly string[]> {
  const waiting = notReady(state.server, wasReady, monitor)
  // The others are asked until this one was ready once and, with `until-ready`, for good.
  return waiting.length > 0 || state.waiting === undefined ? waiting : [...new Set(await state.waiting())]
}

/** With `until-ready` a plugin that was ready once is not asked again. */
function notReady(server: DnsServer, wasReady: Set<string>, monitor: ReadyConfig['monitor']): readonly string[] {
  const waiting: string[] = []
  for (const [i, { name, plugin }] of server.blocks.flatMap((block) => block.plugins).entries()) {
    const key = `${i} ${name}`
    if (plugin.isReady === undefined || (monitor === 'until-ready' && wasReady.has(key))) continue
    if (plugin.isReady()) wasReady.add(key)
    else waiting.push(name)
  }
  return [...new Set(waiting)]
}

/** `:8080`, `localhost:9153`, `[::1]:8181`. */
function splitAddress(text: string): { readonly address: string; readonly port: number } {
  const colon = text.lastIndexOf(':')
  const host = text.slice(0, colon).replace(/^\[(.*)\]$/, '$1')
  return { address: host, port: Number(text.slice(colon + 1)) }
}
