// The resources our daemons watch, as values. A kind that is missing here is one `defineResource` away.

import type {
  ConfigMap,
  EndpointSlice,
  Ingress,
  IngressClass,
  KubeObject,
  Namespace,
  Node,
  Pod,
  Secret,
  Service,
  ServiceCidr,
  ServiceImport,
} from '@kubewire/kube-model'
import type { Lease } from './lease-machine.ts'
import { defineResource, type Resource } from './resource.ts'

/** core/v1 Event, the fields that writers fill and people read. */
export interface KubeEvent extends KubeObject {
  readonly involvedObject?: {
    readonly apiVersion?: string
    readonly kind?: string
    readonly namespace?: string
    readonly name?: string
    readonly uid?: string
  }
  readonly type?: string
  readonly reason?: string
  readonly message?: string
  readonly count?: number
  readonly firstTimestamp?: string
  readonly lastTimestamp?: string
  readonly source?: { readonly component?: string; readonly host?: string }
}

/** core/v1 Endpoints, deprecated by the API since 1.33; only read by tools that must. */
export interface Endpoints extends KubeObject {
  readonly subsets?: readonly {
    readonly addresses?: readonly { readonly ip: string; readonly hostname?: string; readonly nodeName?: string }[]
    readonly notReadyAddresses?: readonly { readonly ip: string }[]
    readonly ports?: readonly { readonly name?: string; readonly port: number; readonly protocol?: string }[]
  }[]
}

/** core/v1 Service. */
export const Services: Resource<Service> = core('services', 'Service')
/** core/v1 Endpoints. */
export const Endpoints: Resource<Endpoints> = core('endpoints', 'Endpoints')
/** core/v1 Pod. */
export const Pods: Resource<Pod> = core('pods', 'Pod')
/** core/v1 Node. */
export const Nodes: Resource<Node> = core('nodes', 'Node', false)
/** core/v1 Namespace. */
export const Namespaces: Resource<Namespace> = core('namespaces', 'Namespace', false)
/** core/v1 Secret. */
export const Secrets: Resource<Secret> = core('secrets', 'Secret')
/** core/v1 ConfigMap. */
export const ConfigMaps: Resource<ConfigMap> = core('configmaps', 'ConfigMap')
/** core/v1 Event. */
export const Events: Resource<KubeEvent> = core('events', 'Event')
/** discovery.k8s.io/v1 EndpointSlice. */
export const EndpointSlices: Resource<EndpointSlice> = grouped('discovery.k8s.io/v1', 'endpointslices', 'EndpointSlice')
/** networking.k8s.io/v1 Ingress. */
export const Ingresses: Resource<Ingress> = grouped('networking.k8s.io/v1', 'ingresses', 'Ingress')
/** networking.k8s.io/v1 IngressClass. */
export const IngressClasses: Resource<IngressClass> = grouped(
  'networking.k8s.io/v1',
  'ingressclasses',
  'IngressClass',
  false,
)
/** networking.k8s.io/v1 ServiceCIDR. */
export const ServiceCidrs: Resource<ServiceCidr> = grouped('networking.k8s.io/v1', 'servicecidrs', 'ServiceCIDR', false)
/** coordination.k8s.io/v1 Lease. */
export const Leases: Resource<Lease> = grouped('coordination.k8s.io/v1', 'leases', 'Lease')
/** multicluster.x-k8s.io/v1alpha1 ServiceImport (KEP-1645). */
export const ServiceImports: Resource<ServiceImport> = grouped(
  'multicluster.x-k8s.io/v1alpha1',
  'serviceimports',
  'ServiceImport',
)

function core<T extends KubeObject>(plural: string, kind: string, isNamespaced = true): Resource<T> {
  return defineResource<T>({ group: '', version: 'v1', plural, kind, isNamespaced })
}

function grouped<T extends KubeObject>(
  groupVersion: string,
  plural: string,
  kind: string,
  isNamespaced = true,
): Resource<T> {
  const [group = '', version = ''] = groupVersion.split('/')
  return defineResource<T>({ group, version, plural, kind, isNamespaced })
}
