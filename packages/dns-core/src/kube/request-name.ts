// Query name → what is asked in a cluster zone (Kubernetes DNS specification 1.1.0; CoreDNS plugin/kubernetes/parse.go).

import { labelsOf } from '../name.ts'

/** What a name asks for. `invalid` names do not exist. */
export type NameRequest =
  | { readonly kind: 'apex' }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'namespace'; readonly tree: 'svc' | 'pod'; readonly namespace: string }
  | { readonly kind: 'pod'; readonly namespace: string; readonly pod: string }
  | ServiceRequest

/** A service, one of its endpoints, or one of its ports. */
export interface ServiceRequest {
  readonly kind: 'service'
  readonly namespace: string
  readonly service: string
  /** Empty texts match everything. */
  readonly endpoint: string
  readonly cluster: string
  readonly port: string
  readonly protocol: string
  readonly zonal?: ZonalRequest
}

/** `TZ.pin._zone` or `TZ.prefer._zone` in front of a service. */
export interface ZonalRequest {
  readonly directive: 'pin' | 'prefer'
  readonly topologyZone: string
}

/** How the zone reads the labels left of a service. */
export interface RequestOptions {
  readonly isMulticluster: boolean
  readonly hasZonalNames: boolean
}

const apex: NameRequest = { kind: 'apex' }
const invalid: NameRequest = { kind: 'invalid' }

/** Reads a folded name below a folded zone. */
export function parseRequestName(name: string, zone: string, options: RequestOptions): NameRequest {
  const base = zone === '.' ? name : name.slice(0, name.length - zone.length)
  if (base === '' || base === 'svc.' || base === 'pod.') return apex
  const labels = labelsOf(base)
  const tree = labels.pop()
  if (tree !== 'svc' && tree !== 'pod') return invalid
  const namespace = labels.pop() ?? ''
  const subject = labels.pop()
  if (subject === undefined) return { kind: 'namespace', tree, namespace }
  const service: ServiceRequest = {
    kind: 'service',
    namespace,
    service: subject,
    endpoint: '',
    cluster: '',
    port: '',
    protocol: '',
  }
  const zonal = tree === 'svc' && options.hasZonalNames && !options.isMulticluster ? zonalOf(labels) : undefined
  if (zonal !== undefined) return { ...service, zonal }
  if (labels.length > 2) return invalid
  // COMPAT: up to two labels in front of a pod are read and ignored.
  if (tree === 'pod') return { kind: 'pod', namespace, pod: subject }
  const [first = '', second] = labels
  if (second === undefined) return { ...service, endpoint: first }
  if (options.isMulticluster && !first.startsWith('_') && !second.startsWith('_')) {
    return { ...service, endpoint: first, cluster: second }
  }
  return { ...service, port: withoutUnderscore(first), protocol: withoutUnderscore(second) }
}

function zonalOf(labels: readonly string[]): ZonalRequest | undefined {
  const directive = labels[labels.length - 2]
  if (labels.length < 3 || labels[labels.length - 1] !== '_zone') return undefined
  if (directive !== 'pin' && directive !== 'prefer') return undefined
  return { directive, topologyZone: labels.slice(0, -2).join('.') }
}

function withoutUnderscore(label: string): string {
  return label.startsWith('_') ? label.slice(1) : label
}
