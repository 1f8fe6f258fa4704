// What an API server fills in when it takes an object from a manifest, as far as names, rules and routes depend on it.
// Source: Kubernetes pkg/apis/core/v1/defaults.go, pkg/apis/discovery/v1/defaults.go; Secret strategy (stringData).

import type { EndpointSlice, KubeObject, Secret, Service } from '@kubewire/kube-model'

/** The object with its defaults; the same object when there are none to fill in. */
export function withApiDefaults(object: KubeObject): KubeObject {
  switch (object.kind) {
    case 'Service':
      return serviceDefaults(object)
    case 'EndpointSlice':
      return sliceDefaults(object)
    case 'Secret':
      return secretDefaults(object)
    default:
      return object
  }
}

function serviceDefaults(service: Service): Service {
  const { spec = {} } = service
  const { type = 'ClusterIP', clusterIP, clusterIPs = clusterIP === undefined ? undefined : [clusterIP] } = spec
  const ports = spec.ports?.map((port) => ({ ...port, protocol: port.protocol ?? 'TCP' }))
  const isAddressed = clusterIPs !== undefined && clusterIPs[0] !== 'None' && clusterIPs[0] !== ''
  const families = isAddressed ? clusterIPs.map((ip) => (ip.includes(':') ? 'IPv6' : 'IPv4')) : undefined
  const first = clusterIP ?? clusterIPs?.[0]
  return {
    ...service,
    spec: {
      ...spec,
      type,
      ...(ports === undefined ? {} : { ports }),
      ...(first === undefined ? {} : { clusterIP: first }),
      ...(clusterIPs === undefined ? {} : { clusterIPs }),
      ...(families === undefined || spec.ipFamilies !== undefined ? {} : { ipFamilies: families }),
    },
  }
}

function sliceDefaults(slice: EndpointSlice): EndpointSlice {
  if (slice.ports == null) return slice
  return {
    ...slice,
    ports: slice.ports.map((port) => ({ ...port, name: port.name ?? '', protocol: port.protocol ?? 'TCP' })),
  }
}

function secretDefaults(secret: Secret): Secret {
  const { stringData, ...rest } = secret as Secret & { readonly stringData?: { readonly [key: string]: string } }
  if (stringData === undefined) return secret
  const encoded = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(text).toString('base64')])
  return { ...rest, data: { ...secret.data, ...(Object.fromEntries(encoded) as { [key: string]: string }) } }
}
