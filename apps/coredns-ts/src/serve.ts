// The wiring of the daemon, from a Corefile to its end: start, reload, signals.

import { createMetrics, type Log } from '@kubewire/daemon-kit'
import { type HealthConfig, metricDefinitions } from '@kubewire/dns-core'
import { type CorefileText, readCorefile } from './corefile-files.ts'
import { configsOf, type Instance, startInstance } from './instance.ts'
import { createRequestCounter } from './metrics/count-requests.ts'
import { createHttpServers, type HttpState } from './metrics/http-servers.ts'
import { createMetricStore, type MetricStore } from './metrics/metric-store.ts'
import { sumExpositions } from './metrics/sum-expositions.ts'
import { createOpenListeners } from './open-listeners.ts'
import { startLines } from './start-lines.ts'
import { chooseUdpBackend } from './udp/choose-udp-backend.ts'
import { versionText } from './version.ts'
import { createCorefileWatch } from './watch-corefile.ts'
import type { Group } from './workers/join-group.ts'

/** What the daemon is started with. */
export interface ServeOptions {
  readonly conf: string
  readonly defaultPort: number
  readonly isQuiet: boolean
  /** `auto`, `dgram` or `batched`. */
  readonly udpBackend: string
  /** The other processes that serve with this one. */
  readonly group?: Group
  readonly log: Log
  /** Called when the process has to end at once. */
  fatal(message: string): void
}

/** A serving daemon. */
export interface Serving {
  /** The lines that tell what is served; empty with `-quiet`. */
  readonly startText: string
  /**
   * Reads the Corefile again, whether it changed or not; the old configuration stays when that fails, and the log says
   * what `cause` it was read for, by default the signal.
   */
  reload(cause?: string): Promise<boolean>
  /** Sleeps for the longest lameduck while still serving, then closes everything. */
  shutDown(): Promise<void>
}

/** Starts serving. Rejects with a message for standard error when the start fails. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { log, defaultPort, group } = options
  const metrics = createMetricStore(metricDefinitions)
  const processMetrics = createMetrics()
  const corefile = readCorefile(options.conf, defaultPort)
  const shared = { log, metrics, defaultPort, fatal: options.fatal }
  let instance = await startInstance(corefile, shared)
  // The native part takes its time to load: not before the first lists are asked for.
  const backend = chooseUdpBackend(options.udpBackend)
  const metricsText = async (): Promise<string> => `${metrics.text()}${await processMetrics.text()}`
  const state: HttpState = {
    server: instance.server,
    isShuttingDown: false,
    metricsText: group === undefined ? metricsText : async () => sumExpositions(await group.gather('metrics')),
    ...(group === undefined ? {} : { waiting: async () => (await group.gather('waiting')).flat() }),
  }
  const listeners = createOpenListeners(
    { backend, isSpread: group !== undefined, checksPorts: group === undefined || group.isFirst },
    createRequestCounter(metrics),
    { metrics, log },
  )
  const http = createHttpServers(state, log, metrics)
  const corefileWatch = createCorefileWatch(options, () => void reload(changed))
  const enter = async (next: Instance): Promise<void> => {
    await http.switchTo(next.server)
    await next.waitForClusters()
    await listeners.switchTo(next.server)
    state.server = next.server
    recordInstance(metrics, next)
  }
  const load = async (text: CorefileText): Promise<void> => {
    const next = await startInstance(text, shared)
    try {
      await enter(next)
    } catch (error) {
      await next.close()
      throw error
    }
    const before = instance
    instance = next
    await before.close()
    corefileWatch.enter(instance)
  }
  const reload = async (cause = 'SIGUSR1'): Promise<boolean> => {
    corefileWatch.stop()
    log.info('Reloading')
    try {
      await load(readCorefile(options.conf, defaultPort))
      log.info('Reloading complete')
      return true
    } catch (error) {
      metrics.add('coredns_reload_failed_total', [])
      const reason = error instanceof Error ? error.message : String(error)
      log.error(`Restart failed: ${reason}`)
      log.error(`${cause}: starting with listener file descriptors: ${reason}`)
      corefileWatch.goOn()
      return false
    }
  }
  group?.answerWith({
    tell: (fact) => (fact === 'metrics' ? metricsText() : state.server.notReady()),
    reload: () => reload(changed),
  })
  try {
    await enter(instance)
  } catch (error) {
    await http.close()
    await instance.close()
    throw error
  }
  corefileWatch.enter(instance)
  return {
    startText: options.isQuiet ? '' : `${startLines(instance.server)}${versionText}\n`,
    reload,
    async shutDown() {
      corefileWatch.stop()
      state.isShuttingDown = true
      const lameduckMs = Math.max(0, ...configsOf<HealthConfig>(instance, 'health').map((config) => config.lameduckMs))
      if (lameduckMs > 0) {
        log.info(`plugin/health: Going into lameduck mode for ${lameduckMs / 1000}s`)
        await new Promise((resolve) => setTimeout(resolve, lameduckMs))
      }
      await listeners.close()
      await http.close()
      await instance.close()
    },
  }
}

/** What a changed Corefile that cannot be served is reported as. */
const changed = 'plugin/reload: Corefile changed but reload failed'

function recordInstance(metrics: MetricStore, { server, hash }: Instance): void {
  metrics.forget(['coredns_plugin_enabled', 'coredns_reload_version_info', 'coredns_build_info'])
  metrics.set('coredns_build_info', ['1.15.0', '', process.version], 1)
  metrics.set('coredns_reload_version_info', ['sha512', hash], 1)
  for (const { blocks, scheme, port, bind } of server.listeners) {
    for (const { plan, view, plugins } of blocks) {
      if (!plugins.some(({ name }) => name === 'prometheus')) continue
      for (const zone of plan.facts.zones) {
        for (const { name } of plugins) {
          if (withoutHandler.has(name)) continue
          metrics.set('coredns_plugin_enabled', [`${scheme}://${bind[0] ?? ''}:${port}`, zone, view, name], 1)
        }
      }
    }
  }
}

/** Plugins that only set something; the original does not list them. */
const withoutHandler: ReadonlySet<string> = new Set([
  ...['root', 'https', 'timeouts', 'multisocket', 'reload', 'bind', 'debug', 'ready', 'health', 'tls'],
])
