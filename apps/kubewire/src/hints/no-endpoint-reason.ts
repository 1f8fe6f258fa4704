// A request that is answered 503: because its location is denied, or its backend has no endpoints, and why. Pure.

import type { ClusterSnapshot, Explanation } from '@kubewire/kube-model'
import type { Model, Trace } from '@kubewire/nginx-gen'

/** One step that says what is missing, or none. */
export function noEndpointReason(snapshot: ClusterSnapshot, model: Model, trace: Trace): readonly Explanation[] {
  const { outcome } = trace
  if (outcome.kind !== 'answer' || outcome.status !== 503) return []
  const denial = denialOf(model, trace)
  if (denial !== undefined) return [denial]
  const name = trace.variables['proxy_upstream_name']
  const backend = model.backends.find((candidate) => candidate.name === name)
  if (backend === undefined || backend.endpoints.length > 0) return []
  const path = trace.location.at(-1)?.args.at(-1) ?? ''
  const { service } = backend
  if (service === undefined) return [{ where: 'why', what: `the Service behind ${path || 'it'} does not exist` }]
  const found = snapshot.services.get(service.name, service.namespace)
  const ports = found?.spec?.ports ?? []
  const has = ports.some(({ name: portName, port }) => portName === backend.port || String(port) === backend.port)
  const known = ports.map(({ name: portName, port }) => (portName === undefined ? port : `${portName} (${port})`))
  const what = has
    ? 'the Service has no ready endpoint'
    : `the Service has no port ${backend.port}, only ${known.join(', ') || 'none'}`
  return [{ where: 'why', what, origin: [service] }]
}

// The rewrite phase ends a denied location, whatever is behind it.
function denialOf({ servers }: Model, { variables }: Trace): Explanation | undefined {
  const { namespace, ingress_name: name, location_path: path } = variables
  for (const { route, denied } of servers.flatMap(({ locations }) => locations)) {
    const { ingress, rulePath } = route
    if (denied === undefined || ingress === undefined || rulePath !== path) continue
    if (ingress.namespace !== namespace || ingress.name !== name) continue
    return { where: 'why', what: `the location is denied: ${denied}`, origin: [ingress] }
  }
  return undefined
}
