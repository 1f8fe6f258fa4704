// The two HTTP servers of the proxy: health (10256) and metrics (10249).

import { type Clock, type Endpoints, type Log, serveEndpoints } from '@kubewire/daemon-kit'
import type { ProxyConfiguration } from '../config/defaults.ts'
import { configurationData } from '../config/print.ts'
import type { ProxyMetrics } from '../metrics.ts'
import { type HealthAnswer, healthAnswer, type ProxyHealth } from './proxy-health.ts'
import { flagzReply, type ProcessFacts, statuszReply } from './zpages.ts'

/** What the servers tell. */
export interface ServersOptions {
  readonly configuration: ProxyConfiguration
  readonly process: ProcessFacts
  readonly metrics: ProxyMetrics
  readonly clock: Clock
  /** The time of day, milliseconds since the epoch. */
  readonly wallMs: () => number
  readonly log: Log
  readonly health: () => ProxyHealth
  readonly isNodeEligible: () => boolean
}

/** Splits `IP:port`; the text was checked before. */
export function splitHostPort(text: string): { readonly address: string; readonly port: number } {
  const colon = text.lastIndexOf(':')
  return { address: text.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(text.slice(colon + 1)) }
}

/** Starts the health server; rejects when the address cannot be bound. */
export function serveHealth(options: ServersOptions): Promise<Endpoints> {
  const { configuration, metrics, clock, log, health } = options
  const answer = (isEligible: boolean | undefined): HealthAnswer =>
    healthAnswer(health(), clock.nowMs(), configuration.syncPeriodMs, isEligible, options.wallMs() - clock.nowMs())
  const reply = ({ status, headers, body }: HealthAnswer) => {
    const { 'Content-Type': contentType = '', ...rest } = headers
    return { status, contentType, headers: rest, body }
  }
  return serveEndpoints({
    ...splitHostPort(configuration.healthzBindAddress),
    log,
    routes: {
      '/healthz': () => {
        const found = answer(options.isNodeEligible())
        metrics.healthz.inc({ code: String(found.status) })
        return reply(found)
      },
      '/livez': () => {
        const found = answer(undefined)
        metrics.livez.inc({ code: String(found.status) })
        return reply(found)
      },
    },
  })
}

/** Starts the metrics server; rejects when the address cannot be bound. */
export function serveMetrics(options: ServersOptions): Promise<Endpoints> {
  const { configuration, metrics, log } = options
  const startSeconds = performance.timeOrigin / 1000
  const started = { 'Process-Start-Time-Unix': String(Math.floor(startSeconds)) }
  const { contentType } = metrics.registry
  const text = async () => ({ contentType, headers: started, body: await metrics.registry.text() })
  const headers = { 'X-Content-Type-Options': 'nosniff' }
  let pings = 0
  return serveEndpoints({
    ...splitHostPort(configuration.metricsBindAddress),
    log,
    routes: {
      '/healthz': ({ query }) => {
        pings += 1
        return { body: query.has('verbose') ? '[+]ping ok\nhealthz check passed\n' : 'ok', headers }
      },
      '/healthz/ping': () => ({ body: 'ok' }),
      ...(hasGate(configuration, 'ComponentFlagz')
        ? { '/flagz': (request) => flagzReply(request, options.process) }
        : {}),
      ...(hasGate(configuration, 'ComponentStatusz')
        ? { '/statusz': (request) => statuszReply(request, options.process, options.wallMs()) }
        : {}),
      '/proxyMode': () => ({ body: configuration.mode, headers }),
      '/configz': () => ({
        contentType: 'application/json',
        headers,
        body: JSON.stringify({ 'kubeproxy.config.k8s.io': configurationData(configuration) }),
      }),
      '/metrics': text,
      '/metrics/slis': () => ({ contentType, headers: started, body: sliText(pings, startSeconds) }),
    },
  })
}

// Both gates are beta in 1.37: on, unless they or all of their stage are switched off.
function hasGate({ featureGates }: ProxyConfiguration, name: string): boolean {
  return featureGates[name] ?? featureGates['AllBeta'] ?? true
}

// The one health check of the metrics server, as k8s.io/component-base/metrics/prometheus/slis shows it once it was asked.
function sliText(pings: number, startSeconds: number): string {
  const start = [
    '# HELP process_start_time_seconds [ALPHA] Start time of the process since unix epoch in seconds.',
    '# TYPE process_start_time_seconds gauge',
    `process_start_time_seconds ${startSeconds}`,
    '',
  ]
  if (pings === 0) return start.join('\n')
  return [
    '# HELP kubernetes_healthcheck [STABLE] This metric records the result of a single healthcheck.',
    '# TYPE kubernetes_healthcheck gauge',
    'kubernetes_healthcheck{name="ping",type="healthz"} 1',
    '# HELP kubernetes_healthchecks_total [STABLE] This metric records the results of all healthcheck.',
    '# TYPE kubernetes_healthchecks_total counter',
    `kubernetes_healthchecks_total{name="ping",status="success",type="healthz"} ${pings}`,
    ...start,
  ].join('\n')
}

/** Tries until it listens, every five seconds; with `isFatal` the first failure is thrown. */
export async function listenUntilBound(
  name: string,
  listen: () => Promise<Endpoints>,
  options: { readonly clock: Clock; readonly log: Log; readonly isFatal: boolean; readonly signal: AbortSignal },
): Promise<Endpoints | undefined> {
  while (!options.signal.aborted) {
    try {
      return await listen()
    } catch (error) {
      if (options.isFatal) throw error
      options.log.error(`${name} failed to listen, trying again in 5 s`, {
        err: error instanceof Error ? error.message : String(error),
      })
      await options.clock.sleep(5000, options.signal)
    }
  }
  return undefined
}
