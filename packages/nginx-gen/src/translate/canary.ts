// Attaches canary backends as alternatives of the main backends. The attachment is to the backend: every location that
// shares the main backend is affected. Source: ingress-nginx 1.15 controller.go mergeAlternativeBackends.

import { type Problem, refOf } from '@kubewire/kube-model'
import { affinity } from '../annotations/affinity.ts'
import { featureOf } from '../annotations/define.ts'
import { defaultBackendName } from '../model/backend.ts'
import { catchAllHost } from '../model/server.ts'
import type { BackendDraft, ReadIngress, ServerDraft } from './drafts.ts'
import { backendName, hostOf, type LocationDraft, normalPath } from './rule-parts.ts'

/**
 * Attaches every canary Ingress, oldest first; backends that attach to nothing are removed.
 *
 * COMPAT: a path without an equal in its host drops the canary's backend, for the paths that have one too, and it is not
 * looked at again (mergeAlternativeBackends).
 */
export function attachCanaries(
  ingresses: readonly ReadIngress[],
  backends: Map<string, BackendDraft>,
  servers: ReadonlyMap<string, ServerDraft>,
  problems: Problem[],
): void {
  if (!ingresses.some((one) => one.isCanary)) return
  const attached = new Set<string>()
  for (const one of ingresses) {
    if (!one.isCanary) continue
    const { spec } = one.ingress
    const fallback = backendName(one.namespace, spec?.defaultBackend)
    if (fallback !== undefined) attach(one, fallback, servers.get(catchAllHost)?.locations ?? [], 'spec.defaultBackend')
    for (const [i, rule] of (spec?.rules ?? []).entries()) {
      const server = servers.get(hostOf(rule))
      for (const [j, rulePath] of (rule.http?.paths ?? []).entries()) {
        const { path, pathType } = normalPath(rulePath)
        const equal = server?.locations.filter((location) => location.path === path && location.pathType === pathType)
        const name = backendName(one.namespace, rulePath.backend)
        if (name !== undefined) attach(one, name, equal, `spec.rules[${i}].http.paths[${j}]`)
      }
    }
  }
  for (const [name, backend] of backends) {
    if (!backend.isOrdinary && !attached.has(name)) backends.delete(name)
  }

  /** `locations` is absent where the host has no server. */
  function attach(one: ReadIngress, name: string, locations: readonly LocationDraft[] | undefined, path: string): void {
    const alternative = backends.get(name)
    if (alternative === undefined) {
      problems.push(unattached(one, path, 'expected each path of the canary to have an ordinary one, another has none'))
      return
    }
    const mains = new Set(locations?.map((location) => backends.get(location.backend)))
    let found = false
    for (const main of mains) {
      if (main === undefined || main === alternative || !main.isOrdinary) continue
      if (main.name === defaultBackendName) continue
      found = true
      attached.add(name)
      if (main.alternatives.includes(name)) continue
      main.alternatives.push(name)
      // A client that has a cookie stays where it is, on the canary too, unless the Ingress wants the old way.
      if (featureOf(one.features, affinity).canaryBehavior !== 'legacy') {
        alternative.affinity = main.affinity
        alternative.affinityMode = main.affinityMode
      }
    }
    if (found) return
    problems.push(unattached(one, path))
    if (locations !== undefined && !alternative.isOrdinary) backends.delete(name)
  }
}

const noEqualPath = 'expected an ordinary Ingress with the same host, path and path type, found none'

function unattached(one: ReadIngress, path: string, message: string = noEqualPath): Problem {
  return {
    code: 'NGX_CANARY',
    severity: 'warning',
    object: refOf(one.ingress, 'Ingress'),
    path,
    message,
    fallback: 'this path of the canary has no effect',
  }
}
