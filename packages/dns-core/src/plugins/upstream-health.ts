// One upstream and what is known about its health (CoreDNS plugin/pkg/proxy).

import { joinHostPort } from '@kubewire/kube-model'
import type { ExchangeOptions, ExchangeResult, Ports, Upstream } from '../plugin.ts'
import { type Query, queryOf } from '../query.ts'
import { rcodeName, rrType } from '../record-types.ts'
import type { ForwardConfig } from './forward-config.ts'

/** An upstream that counts failures and probes itself until it answers again. */
export interface UpstreamHealth {
  exchange(query: Query, options: ExchangeOptions): Promise<ExchangeResult>
  isDown(): boolean
  /** Probes until the upstream answers; does nothing while probing. */
  startProbing(): void
  close(): void
}

/** Wraps an upstream. */
export function createUpstreamHealth(
  upstream: Upstream,
  config: ForwardConfig,
  ports: Ports,
  options: ExchangeOptions,
): UpstreamHealth {
  const { healthCheck, tlsServerName } = config
  const target = tlsServerName === undefined ? upstream : { serverName: tlsServerName, ...upstream }
  const label = joinHostPort(upstream.address, upstream.port)
  const probe = queryOf(healthCheck.domain, rrType.NS, { recursionDesired: healthCheck.recursionDesired })
  let failures = 0
  let isProbing = false
  let isClosed = false
  let cancel = (): void => {}
  const probeOnce = async (): Promise<void> => {
    const result = await ports.exchange(target, probe, { ...options, useTcp: config.forceTcp, timeoutMs: 1000 })
    // Any reply counts as healthy, whatever its code.
    if (result.kind === 'reply' || isClosed) {
      failures = 0
      isProbing = false
      return
    }
    failures++
    ports.metrics.add('coredns_proxy_healthcheck_failures_total', ['forward', label])
    cancel = ports.schedule(healthCheck.intervalMs, () => void probeOnce())
  }
  return {
    async exchange(query, exchange) {
      const startMs = ports.nowMs()
      const result = await ports.exchange(target, query, exchange)
      if (result.kind === 'reply') {
        const seconds = (ports.nowMs() - startMs) / 1000
        const labels = ['forward', label, rcodeName(result.reply.rcode)]
        ports.metrics.observe('coredns_proxy_request_duration_seconds', labels, seconds)
      }
      return result
    },
    isDown: () => config.maxFails > 0 && failures > config.maxFails,
    startProbing() {
      if (isProbing || isClosed) return
      isProbing = true
      void probeOnce()
    },
    close() {
      isClosed = true
      cancel()
    },
  }
}
