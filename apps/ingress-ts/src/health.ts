// The health port: liveness, metrics, and how far the controller has come.

import { type EndpointHandler, type Endpoints, type Log, type Metrics, serveEndpoints } from '@kubewire/daemon-kit'
import type { DataPush } from './nginx/data-push.ts'
import type { NginxProcess } from './nginx/nginx-process.ts'

/** What the routes tell. */
export interface HealthParts {
  readonly address: string
  readonly port: number
  readonly healthPath: string
  readonly metrics: Metrics
  readonly nginx: NginxProcess
  readonly push: DataPush
  readonly isShuttingDown: () => boolean
  /** Shown at `/syncz`: resource versions that the running nginx reflects, numbers of syncs and reloads. */
  readonly progress: () => unknown
  readonly log: Log
}

/** Starts listening. */
export function serveHealth(parts: HealthParts): Promise<Endpoints> {
  const { metrics } = parts
  const health: EndpointHandler = async () => {
    const reason = await whyUnhealthy(parts)
    return reason === undefined
      ? { body: 'ok' }
      : { status: 500, body: `[-]nginx-ingress-controller failed: ${reason}\n` }
  }
  return serveEndpoints({
    address: parts.address,
    port: parts.port,
    log: parts.log,
    routes: {
      [parts.healthPath]: health,
      '/metrics': async () => ({ contentType: metrics.contentType, body: await metrics.text() }),
      '/syncz': () => ({ contentType: 'application/json', body: JSON.stringify(parts.progress()) }),
      '/build': () => ({ contentType: 'application/json', body: JSON.stringify({ name: 'ingress-ts' }) }),
    },
  })
}

// COMPAT: healthy means not shutting down, nginx alive, and backends pushed at least once (ingress-nginx 1.15 checker.go).
async function whyUnhealthy(parts: HealthParts): Promise<string | undefined> {
  if (parts.isShuttingDown()) return 'the ingress controller is shutting down'
  if (parts.nginx.pid === undefined) return 'nginx is not running'
  try {
    return (await parts.push.isInitialized()) ? undefined : 'dynamic load balancer not started'
  } catch {
    return 'nginx does not answer'
  }
}
