// Health check node ports: which ports are open, and what is answered there.
// Source: kube-proxy 1.36 pkg/proxy/healthcheck/service_health.go.

import type { PortView } from './sections/section.ts'

/** One Service with a health check node port. */
export interface HealthCheck {
  readonly namespace: string
  readonly name: string
  readonly port: number
  /** Distinct addresses of local ready endpoints over all ports of the slices, COMPAT: also those the Service lacks. */
  readonly localEndpoints: number
}

/** An HTTP answer. */
export interface HealthCheckAnswer {
  readonly status: 200 | 503
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** Services with a health check node port, by `namespace/name`. Terminating endpoints do not count. */
export function healthChecks(ports: readonly PortView[]): ReadonlyMap<string, HealthCheck> {
  const checks = new Map<string, HealthCheck>()
  for (const { facts, localReady = 0 } of ports) {
    const { namespace, serviceName: name, healthCheckNodePort: port } = facts
    if (port !== undefined) checks.set(`${namespace}/${name}`, { namespace, name, port, localEndpoints: localReady })
  }
  return checks
}

/** What a health check node port answers to any request. */
export function healthCheckAnswer(
  service: { readonly namespace: string; readonly name: string },
  localEndpoints: number,
  isProxyHealthy: boolean,
): HealthCheckAnswer {
  const body = [
    '{',
    '\t"service": {',
    `\t\t"namespace": ${JSON.stringify(service.namespace)},`,
    `\t\t"name": ${JSON.stringify(service.name)}`,
    '\t},',
    `\t"localEndpoints": ${localEndpoints},`,
    `\t"serviceProxyHealthy": ${isProxyHealthy}`,
    '}',
  ].join('\n')
  const headers = {
    'Content-Type': 'application/json',
    'X-Content-Type-Options': 'nosniff',
    'X-Load-Balancing-Endpoint-Weight': String(localEndpoints),
  }
  return { status: localEndpoints > 0 && isProxyHealthy ? 200 : 503, headers, body }
}
