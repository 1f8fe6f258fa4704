// What the rules of one Ingress ask for, before anything else is known: hosts, backends, locations. Computed once per
// reading, since nearly all of thousands of Ingresses are the same from one translation to the next.

import type { Ingress, IngressBackend, IngressPath, ObjectRef } from '@kubewire/kube-model'
import type { FeatureValues } from '../model/location.ts'
import { catchAllHost } from '../model/server.ts'

/** A backend that an Ingress names. */
export interface Mention {
  readonly backend: IngressBackend
  readonly path: string
  /** `undefined` when it is no Service. */
  readonly name: string | undefined
}

/** A location while the model is built. Drafts are replaced, never changed: those of a rule are shared by all translations. */
export interface LocationDraft {
  readonly path: string
  readonly pathType: 'Exact' | 'Prefix'
  readonly backend: string
  readonly serviceName: string
  readonly servicePort: string
  readonly ingress: ObjectRef | undefined
  /** Field of that Ingress. */
  readonly field: string
  readonly isDefaultBackend: boolean
  readonly denied: string | undefined
  readonly features: FeatureValues
}

/** A path of a rule as a location. */
export interface PlannedPath {
  readonly host: string
  readonly location: LocationDraft
}

/** Hosts of the rules, in order, each once for neighbouring rules. */
export function hostsOf({ spec }: Ingress): readonly string[] {
  const hosts: string[] = []
  for (const rule of spec?.rules ?? []) {
    const host = hostOf(rule)
    if (hosts.at(-1) !== host) hosts.push(host)
  }
  return hosts
}

/** Backends in the order of the Ingress; those named again are left out, those that are no Service are not. */
export function mentionsOf({ spec }: Ingress, namespace: string): readonly Mention[] {
  const found: Mention[] = []
  const seen = new Set<string>()
  const mention = (backend: IngressBackend, path: string): void => {
    const name = backendName(namespace, backend)
    if (name !== undefined && seen.has(name)) return
    if (name !== undefined) seen.add(name)
    found.push({ backend, path, name })
  }
  if (spec?.defaultBackend !== undefined) mention(spec.defaultBackend, 'spec.defaultBackend')
  for (const [i, rule] of (spec?.rules ?? []).entries()) {
    for (const [j, { backend }] of (rule.http?.paths ?? []).entries()) {
      if (backend !== undefined) mention(backend, `spec.rules[${i}].http.paths[${j}].backend`)
    }
  }
  return found
}

/** Locations in the order of the rules. */
export function plannedPaths({ spec }: Ingress, { ref, namespace, denied, features }: Reading): readonly PlannedPath[] {
  const found: PlannedPath[] = []
  for (const [i, rule] of (spec?.rules ?? []).entries()) {
    const host = hostOf(rule)
    for (const [j, rulePath] of (rule.http?.paths ?? []).entries()) {
      const { path, pathType } = normalPath(rulePath)
      const { backend } = rulePath
      const location: LocationDraft = {
        path,
        pathType,
        backend: backendName(namespace, backend) ?? '',
        serviceName: backend?.service?.name ?? '',
        servicePort: portText(backend),
        ingress: ref,
        field: `spec.rules[${i}].http.paths[${j}]`,
        isDefaultBackend: false,
        denied,
        features,
      }
      found.push({ host, location })
    }
  }
  return found
}

/** What of a reading is in each of its locations. */
interface Reading {
  readonly ref: ObjectRef
  readonly namespace: string
  readonly denied: string | undefined
  readonly features: FeatureValues
}

/** Host of a rule: an absent one is the catch-all. */
export function hostOf(rule: { readonly host?: string }): string {
  return rule.host ? rule.host.toLowerCase() : catchAllHost
}

/** Path and type of a rule path after normalisation (reference: an empty path is `/`, other types are Prefix). */
export function normalPath(path: IngressPath): { readonly path: string; readonly pathType: 'Exact' | 'Prefix' } {
  return { path: path.path || '/', pathType: path.pathType === 'Exact' ? 'Exact' : 'Prefix' }
}

/** Name of the backend of a Service port; `undefined` when the backend is no Service. */
export function backendName(namespace: string, backend: IngressBackend | undefined): string | undefined {
  const service = backend?.service
  return service === undefined ? undefined : `${namespace}-${service.name}-${portText(backend) || 'INVALID'}`
}

/** Port of an Ingress backend as text: number, else name, else empty. */
export function portText(backend: IngressBackend | undefined): string {
  const port = backend?.service?.port
  return port?.number ? String(port.number) : (port?.name ?? '')
}
