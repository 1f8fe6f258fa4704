// What the rules of one Ingress ask for, before anything else is known: hosts, backends, locations. Computed once per
// reading, since nearly all of thousands of Ingresses are the same from one translation to the next.

import type { Ingress, IngressBackend, IngressPath, ObjectRef } from '@kubewire/kube-model'
import type { FeatureValues } from '../model/location.ts'
import { catchAllHost } from '../model/server.ts'

/** Where an Ingress names the backend of what its rules leave open. */
export const defaultBackendField = 'spec.defaultBackend'

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

/** What the rules of an Ingress ask for. */
export interface RuleParts {
  /** In order, each once for neighbouring rules. */
  readonly hosts: readonly string[]
  /** In the order of the Ingress; those named again are left out, those that are no Service are not. */
  readonly mentions: readonly Mention[]
  /** In the order of the rules. */
  readonly paths: readonly PlannedPath[]
}

/** Takes the rules apart. */
export function ruleParts({ spec }: Ingress, { ref, namespace, denied, features }: Reading): RuleParts {
  const hosts: string[] = []
  const mentions: Mention[] = []
  const paths: PlannedPath[] = []
  const seen = new Set<string>()
  let last: NamedBackend | undefined
  const mention = (backend: IngressBackend, name: string | undefined, path: string): void => {
    if (name !== undefined && seen.has(name)) return
    if (name !== undefined) seen.add(name)
    mentions.push({ backend, path, name })
  }
  const { defaultBackend, rules = [] } = spec ?? {}
  if (defaultBackend !== undefined) mention(defaultBackend, backendName(namespace, defaultBackend), defaultBackendField)
  for (const [i, rule] of rules.entries()) {
    const host = hostOf(rule)
    if (hosts.at(-1) !== host) hosts.push(host)
    for (const [j, rulePath] of (rule.http?.paths ?? []).entries()) {
      const { backend } = rulePath
      const field = `spec.rules[${i}].http.paths[${j}]`
      if (last === undefined || !isSameBackend(last.backend, backend)) last = namedBackend(namespace, backend)
      const { name, port } = last
      const { path, pathType } = normalPath(rulePath)
      if (backend !== undefined) mention(backend, name, `${field}.backend`)
      const location: LocationDraft = {
        path,
        pathType,
        backend: name ?? '',
        serviceName: backend?.service?.name ?? '',
        servicePort: port,
        ingress: ref,
        field,
        isDefaultBackend: false,
        denied,
        features,
      }
      paths.push({ host, location })
    }
  }
  return { hosts, mentions, paths }
}

/** What of a reading is in each of its locations. */
interface Reading {
  readonly ref: ObjectRef
  readonly namespace: string
  readonly denied: string | undefined
  readonly features: FeatureValues
}

/** A backend with the texts that follow from it: most paths of an Ingress have the one of the path before. */
interface NamedBackend {
  readonly backend: IngressBackend | undefined
  readonly name: string | undefined
  readonly port: string
}

function namedBackend(namespace: string, backend: IngressBackend | undefined): NamedBackend {
  return { backend, name: backendName(namespace, backend), port: portText(backend) }
}

function isSameBackend(a: IngressBackend | undefined, b: IngressBackend | undefined): boolean {
  const [one, other] = [a?.service, b?.service]
  if (one === undefined || other === undefined) return false
  return one.name === other.name && one.port?.number === other.port?.number && one.port?.name === other.port?.name
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
