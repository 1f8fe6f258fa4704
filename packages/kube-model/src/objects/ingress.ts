import type { KubeObject } from './meta.ts'
import type { LoadBalancerIngress } from './service.ts'

/** networking.k8s.io/v1 Ingress. */
export interface Ingress extends KubeObject {
  readonly spec?: IngressSpec
  readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly LoadBalancerIngress[] } }
}

/** networking.k8s.io/v1 IngressSpec. */
export interface IngressSpec {
  readonly ingressClassName?: string
  readonly defaultBackend?: IngressBackend
  readonly tls?: readonly IngressTls[]
  readonly rules?: readonly IngressRule[]
}

/** One `tls` entry: these hosts are served with this Secret. */
export interface IngressTls {
  readonly hosts?: readonly string[]
  readonly secretName?: string
}

/** One rule; an absent host means every host. */
export interface IngressRule {
  readonly host?: string
  readonly http?: { readonly paths?: readonly IngressPath[] }
}

/** One path of a rule. */
export interface IngressPath {
  readonly path?: string
  /** `Exact`, `Prefix` or `ImplementationSpecific`. */
  readonly pathType?: string
  readonly backend?: IngressBackend
}

/** Where a path leads: a Service port, or another object. */
export interface IngressBackend {
  readonly service?: { readonly name: string; readonly port?: { readonly name?: string; readonly number?: number } }
  readonly resource?: { readonly apiGroup?: string; readonly kind?: string; readonly name?: string }
}
