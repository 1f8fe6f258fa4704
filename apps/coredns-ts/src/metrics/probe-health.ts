// Asks the own health port once a second, so that a process that hangs shows in its metrics (CoreDNS plugin/health
// overloaded.go).

import { get } from 'node:http'
import type { Log } from '@kubewire/daemon-kit'
import type { MetricsPort } from '@kubewire/dns-core'

const everyMs = 1000
const timeoutMs = 3000

/** Probes until the returned function is called. An empty `address` stands for all, the loopback one is asked. */
export function probeHealth(
  target: { readonly address: string; readonly port: number },
  metrics: MetricsPort,
  log: Log,
): () => void {
  const host = target.address === '' ? 'localhost' : target.address
  const ask = (): void => {
    const startMs = performance.now()
    const fail = (error: Error): void => {
      metrics.add('coredns_health_request_failures_total', [])
      log.warn(`plugin/health: Local health request to "http://${host}:${target.port}/health" failed: ${error.message}`)
    }
    const request = get({ host, port: target.port, path: '/health', timeout: timeoutMs, agent: false }, (response) => {
      response.resume()
      const seconds = (performance.now() - startMs) / 1000
      metrics.observe('coredns_health_request_duration_seconds', [], seconds)
      if (seconds > 1) {
        log.warn(
          `plugin/health: Local health request to "http://${host}:${target.port}/health" took more than 1s: ${seconds}s`,
        )
      }
    })
    request.on('timeout', () => request.destroy(new Error('timeout')))
    request.on('error', fail)
  }
  const timer = setInterval(ask, everyMs)
  return () => clearInterval(timer)
}
