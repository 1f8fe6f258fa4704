// Backends of the `default-backend` annotation. They take the place of a backend without endpoints, and answer for
// custom errors. Source: ingress-nginx 1.15 controller.go (custom default backends); reference: default backend per Ingress.

import { errorHandling, substitutePrefix } from '../annotations/default-backend.ts'
import { featureOf } from '../annotations/define.ts'
import { defaultBackendName } from '../model/backend.ts'
import { firstPortEndpoints } from './backends.ts'
import type { BackendDraft, ReadContext, ReadIngress, ServerDraft } from './drafts.ts'
import type { SlicesOf } from './endpoints.ts'
import type { LocationDraft } from './rule-parts.ts'

/** Adds the backends and points locations at them. */
export function attachDefaultBackends(
  ingresses: readonly ReadIngress[],
  servers: ReadonlyMap<string, ServerDraft>,
  backends: Map<string, BackendDraft>,
  context: ReadContext,
  slicesOf: SlicesOf,
): void {
  if (ingresses.every((one) => featureOf(one.features, errorHandling).service === undefined)) return
  for (const server of servers.values()) {
    for (const [at, location] of server.locations.entries()) {
      const { service } = featureOf(location.features, errorHandling)
      if (service !== undefined) server.locations[at] = attach(location, backends, context, slicesOf)
    }
  }
}

function attach(
  location: LocationDraft,
  backends: Map<string, BackendDraft>,
  context: ReadContext,
  slicesOf: SlicesOf,
): LocationDraft {
  const value = featureOf(location.features, errorHandling)
  const main = backends.get(location.backend)
  const namespace = location.ingress?.namespace
  if (value.service === undefined || main === undefined || namespace === undefined) return location
  // COMPAT: what the default backend answers is its own affair (controller.go, getBackendServers).
  if (location.backend === defaultBackendName) return location
  const isEmpty = main.endpoints.length === 0
  if (!isEmpty && (value.codes ?? []).length === 0) return location
  const service = context.snapshot.services.get(value.service, namespace)
  const endpoints = firstPortEndpoints(service, slicesOf, context.options)
  if (service === undefined || endpoints.length === 0) return location
  const name = `${substitutePrefix}${namespace}-${value.service}`
  if (!backends.has(name)) {
    backends.set(name, {
      ...main,
      name,
      service: { kind: 'Service', namespace, name: value.service },
      port: String(service.spec?.ports?.[0]?.port ?? ''),
      endpoints,
      affinity: undefined,
      affinityMode: undefined,
      canary: undefined,
      alternatives: [],
      isOrdinary: true,
    })
  }
  const features = { ...location.features, [errorHandling.name]: { ...value, backend: name } }
  return { ...location, features, backend: isEmpty ? name : location.backend }
}
