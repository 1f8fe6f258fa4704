// Says in the log that a served certificate has expired or soon will. Each piece of news is told once.
// Source of the ten days: ingress-nginx 1.15 controller.go, createServers.

import type { Log } from '@kubewire/daemon-kit'
import type { CertificateFact } from '../metrics/metrics.ts'

const soonMs = 10 * 24 * 60 * 60 * 1000

/** Tells what is new since the last call; `nowMs` is the time. */
export type ExpiryReport = (certificates: readonly CertificateFact[], nowMs: number) => void

/** Creates the report; nothing has been told yet. */
export function createExpiryReport(log: Pick<Log, 'warn'>): ExpiryReport {
  let told: ReadonlySet<string> = new Set()
  return (certificates, nowMs) => {
    const news = new Set<string>()
    for (const { host, namespace, secretName, notAfterMs } of certificates) {
      if (notAfterMs - nowMs >= soonMs) continue
      const message = notAfterMs <= nowMs ? 'a certificate has expired' : 'a certificate expires within ten days'
      const secret = `${namespace}/${secretName}`
      const key = `${message} ${host} ${secret} ${notAfterMs}`
      news.add(key)
      if (!told.has(key)) log.warn(message, { host, secret, notAfter: new Date(notAfterMs).toISOString() })
    }
    told = news
  }
}
