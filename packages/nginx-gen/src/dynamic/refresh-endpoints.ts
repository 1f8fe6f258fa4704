// The shortcut for the most frequent change: endpoints of some Services. Everything else of the model stays, so the
// text of the configuration stays, too. Where endpoints do decide text, the answer is that only a translation can tell.

import {
  type ClusterSnapshot,
  type EndpointSlice,
  type ObjectKey,
  objectKey,
  serviceNameLabel,
} from '@kubewire/kube-model'
import { errorHandling } from '../annotations/default-backend.ts'
import { featureOf } from '../annotations/define.ts'
import { type Backend, defaultBackendName } from '../model/backend.ts'
import type { Model } from '../model/model.ts'
import { serviceEndpoints } from '../translate/backends.ts'
import type { SlicesOf } from '../translate/endpoints.ts'

/**
 * The model with the endpoints of these Services computed anew.
 *
 * @param snapshot - differs from the one that was translated in EndpointSlices of these Services only
 * @param services - `namespace/name`
 * @returns `undefined` where the change may reach the text: stream services, passthrough, default backends
 */
export function refreshEndpoints(
  model: Model,
  snapshot: ClusterSnapshot,
  services: ReadonlySet<ObjectKey>,
): Model | undefined {
  if (decidesText(model, services)) return undefined
  const slicesOf = slicesOfServices(snapshot, services)
  const backends = model.backends.map((backend) =>
    services.has(serviceKey(backend)) ? refreshBackend(backend, model, snapshot, slicesOf) : backend,
  )
  return { ...model, backends }
}

function refreshBackend(backend: Backend, model: Model, snapshot: ClusterSnapshot, slicesOf: SlicesOf): Backend {
  const { namespace, name = '' } = backend.service ?? {}
  const service = snapshot.services.get(name, namespace)
  if (service === undefined) return backend
  // With service-upstream the cluster address is the endpoint, whatever the slices say.
  const [first] = backend.endpoints
  if (first !== undefined && first.address === service.spec?.clusterIP) return backend
  return { ...backend, endpoints: serviceEndpoints(service, backend.port, slicesOf, model.options) }
}

// Endpoints stand in the text of streams, and an empty backend with a default backend is another location.
function decidesText(model: Model, services: ReadonlySet<ObjectKey>): boolean {
  if (model.options.balancing === 'static') return true
  if (model.stream.some(({ service }) => services.has(objectKey(service.namespace, service.name)))) return true
  const touched = new Set(model.backends.filter((one) => services.has(serviceKey(one))).map((one) => one.name))
  if (touched.has(defaultBackendName)) return true
  return model.servers.some((server) => {
    const isRootTouched = server.locations.some(({ route }) => route.path === '/' && touched.has(route.backend))
    if (server.passthrough !== undefined && isRootTouched) return true
    return server.locations.some(({ route, features }) => {
      const { service } = featureOf(features, errorHandling)
      if (service === undefined) return false
      return (
        touched.has(route.backend) ||
        services.has(objectKey(route.ingress?.namespace, service)) ||
        isMainOf(route, services)
      )
    })
  })
}

// A location whose own backend was empty names the default backend; its Service is still the one of the rule.
function isMainOf(
  route: Model['servers'][number]['locations'][number]['route'],
  services: ReadonlySet<ObjectKey>,
): boolean {
  return services.has(objectKey(route.ingress?.namespace, route.serviceName))
}

function serviceKey({ service }: Backend): ObjectKey {
  return objectKey(service?.namespace, service?.name ?? '')
}

function slicesOfServices(snapshot: ClusterSnapshot, services: ReadonlySet<ObjectKey>): SlicesOf {
  const found = new Map<ObjectKey, EndpointSlice[]>()
  for (const slice of snapshot.endpointSlices) {
    const { namespace, labels } = slice.metadata ?? {}
    const key = objectKey(namespace, labels?.[serviceNameLabel] ?? '')
    if (!services.has(key)) continue
    const list = found.get(key)
    if (list === undefined) found.set(key, [slice])
    else list.push(slice)
  }
  const byName = (a: EndpointSlice, b: EndpointSlice): number =>
    (a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1
  for (const list of found.values()) list.sort(byName)
  return (namespace, name) => found.get(objectKey(namespace, name)) ?? []
}
