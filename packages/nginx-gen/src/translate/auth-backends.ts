// Backends of authentication services to which connections are kept: the data plane balances and resolves them as it
// does external names, so that a name that does not resolve stops nothing.

import { featureOf } from '../annotations/define.ts'
import { externalAuth } from '../annotations/external-auth.ts'
import type { BackendDraft, ReadContext, ReadIngress } from './drafts.ts'

/** Adds the backends; none with HTTP/2, where no connections are kept. */
export function addAuthBackends(
  ingresses: readonly ReadIngress[],
  { settings }: ReadContext,
  backends: Map<string, BackendDraft>,
): void {
  if (settings['use-http2']) return
  for (const one of ingresses) {
    const keepalive = featureOf(one.features, externalAuth)?.keepalive
    if (keepalive === undefined || backends.has(keepalive.backend)) continue
    backends.set(keepalive.backend, {
      name: keepalive.backend,
      service: undefined,
      port: String(keepalive.endpoint.port),
      endpoints: [keepalive.endpoint],
      balancing: { kind: 'round-robin' },
      affinity: undefined,
      affinityMode: undefined,
      canary: undefined,
      alternatives: [],
      isOrdinary: true,
    })
  }
}
