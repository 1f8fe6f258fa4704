// Servers and their locations from the rules of ordinary Ingresses. "First" means first by age; the first that claims
// a host, path and type has it. Canary Ingresses never make a server or a location.
// Source: ingress-nginx 1.15 controller.go createServers and getBackendServers.

import { type IngressPath, type ObjectRef, type Problem, refOf } from '@kubewire/kube-model'
import { affinity } from '../annotations/affinity.ts'
import { canary } from '../annotations/canary.ts'
import { featureOf } from '../annotations/define.ts'
import { serverWishes } from '../annotations/server.ts'
import { wwwRedirect } from '../annotations/www-redirect.ts'
import { defaultBackendName } from '../model/backend.ts'
import type { FeatureValues } from '../model/location.ts'
import { catchAllHost } from '../model/server.ts'
import { type BackendDraft, backendName, portText } from './backends.ts'
import type { ReadIngress } from './read-ingress.ts'

/** A location while the model is built. */
export interface LocationDraft {
  path: string
  pathType: 'Exact' | 'Prefix'
  backend: string
  serviceName: string
  servicePort: string
  ingress: ObjectRef | undefined
  /** Field of that Ingress. */
  field: string
  isDefaultBackend: boolean
  denied: string | undefined
  features: FeatureValues
}

/** A server while the model is built. */
export interface ServerDraft {
  readonly host: string
  readonly locations: LocationDraft[]
  /** Ordinary Ingresses with a rule for this host, oldest first. */
  readonly ingresses: ReadIngress[]
  redirectsFromWww: boolean
}

/** Builds the servers; `builtIn` is what the catch-all location is read from. */
export function buildServers(
  ingresses: readonly ReadIngress[],
  backends: ReadonlyMap<string, BackendDraft>,
  builtIn: ReadIngress,
  problems: Problem[],
): Map<string, ServerDraft> {
  const ordinary = ingresses.filter((one) => featureOf(one.features, canary) === undefined)
  const servers = new Map<string, ServerDraft>()
  servers.set(catchAllHost, newServer(catchAllHost, rootLocation(builtIn, undefined, backends)))
  for (const one of ordinary) openServers(one, servers, backends)
  for (const one of ordinary) placeRules(one, servers, backends, problems)
  return servers
}

/** Host of a rule: an absent one is the catch-all. */
export function hostOf(rule: { readonly host?: string }): string {
  return rule.host ? rule.host.toLowerCase() : catchAllHost
}

/** Path and type of a rule path after normalisation (reference: an empty path is `/`, other types are Prefix). */
export function normalPath(path: IngressPath): { readonly path: string; readonly pathType: 'Exact' | 'Prefix' } {
  return { path: path.path || '/', pathType: path.pathType === 'Exact' ? 'Exact' : 'Prefix' }
}

function openServers(
  one: ReadIngress,
  servers: Map<string, ServerDraft>,
  backends: ReadonlyMap<string, BackendDraft>,
): void {
  const { spec } = one.ingress
  const fallback = backendName(one.namespace, spec?.defaultBackend)
  const root = servers.get(catchAllHost)?.locations[0]
  if (fallback !== undefined && (spec?.rules ?? []).length === 0 && root?.isDefaultBackend)
    takeCatchAll(one, root, fallback)
  for (const rule of spec?.rules ?? []) {
    const host = hostOf(rule)
    const server = servers.get(host) ?? newServer(host, rootLocation(one, fallback, backends))
    servers.set(host, server)
    if (!server.ingresses.includes(one)) server.ingresses.push(one)
  }
}

/** An Ingress with a default backend and no rule serves the root of the catch-all server. */
function takeCatchAll(one: ReadIngress, root: LocationDraft, backend: string): void {
  const { redirect, rewrite } = root.features
  root.backend = backend
  root.isDefaultBackend = false
  root.ingress = refOf(one.ingress, 'Ingress')
  root.field = 'spec.defaultBackend'
  root.serviceName = one.ingress.spec?.defaultBackend?.service?.name ?? ''
  root.servicePort = portText(one.ingress.spec?.defaultBackend)
  root.denied = one.denied
  // COMPAT: its redirects and rewrites do not apply there (controller.go createServers).
  root.features = { ...one.features, redirect, rewrite }
}

function rootLocation(
  one: ReadIngress,
  backend: string | undefined,
  backends: ReadonlyMap<string, BackendDraft>,
): LocationDraft {
  const isKnown = backend !== undefined && backends.has(backend)
  const named = isKnown ? one.ingress.spec?.defaultBackend : undefined
  return {
    path: '/',
    pathType: 'Prefix',
    backend: isKnown ? backend : defaultBackendName,
    serviceName: named?.service?.name ?? '',
    servicePort: portText(named),
    ingress: one.name === '' ? undefined : refOf(one.ingress, 'Ingress'),
    field: named === undefined ? 'spec.rules' : 'spec.defaultBackend',
    isDefaultBackend: true,
    denied: one.denied,
    features: one.features,
  }
}

function newServer(host: string, root: LocationDraft): ServerDraft {
  return { host, locations: [root], ingresses: [], redirectsFromWww: false }
}

/** Further names of a host: those of its first Ingress that has any, but no hosts of their own. */
export function aliasesOf(server: ServerDraft, servers: ReadonlyMap<string, ServerDraft>): readonly string[] {
  const wishes = server.ingresses.map((one) => featureOf(one.features, serverWishes).aliases)
  const aliases = wishes.find((names) => names.length > 0) ?? []
  return [...new Set(aliases)].filter((alias) => alias !== server.host && !servers.has(alias)).sort()
}

function placeRules(
  one: ReadIngress,
  servers: ReadonlyMap<string, ServerDraft>,
  backends: ReadonlyMap<string, BackendDraft>,
  problems: Problem[],
): void {
  for (const [i, rule] of (one.ingress.spec?.rules ?? []).entries()) {
    const host = hostOf(rule)
    const server = servers.get(host)
    if (server === undefined) throw new Error(`no server was opened for host ${host}`)
    for (const [j, path] of (rule.http?.paths ?? []).entries()) {
      const backend = backends.get(backendName(one.namespace, path.backend) ?? '')
      if (backend === undefined) continue
      const where = `spec.rules[${i}].http.paths[${j}]`
      if (!backend.isOrdinary) {
        problems.push(takenByCanary(one, where, backend.name))
        continue
      }
      if (placePath(one, server, path, backend, where, problems) && featureOf(one.features, wwwRedirect)) {
        server.redirectsFromWww = true
      }
      for (const name of [host, ...aliasesOf(server, servers)])
        gatherAffinity(one, backend, name, normalPath(path).path)
    }
  }
}

function takenByCanary(one: ReadIngress, path: string, backend: string): Problem {
  return {
    code: 'NGX_CANARY',
    severity: 'error',
    object: refOf(one.ingress, 'Ingress'),
    path,
    message: `the backend ${backend} belongs to an older canary Ingress`,
    fallback: 'this path is left out',
  }
}

function placePath(
  one: ReadIngress,
  server: ServerDraft,
  rulePath: IngressPath,
  backend: BackendDraft,
  where: string,
  problems: Problem[],
): boolean {
  const { path, pathType } = normalPath(rulePath)
  const placed = {
    path,
    pathType,
    backend: backend.name,
    serviceName: rulePath.backend?.service?.name ?? '',
    servicePort: portText(rulePath.backend),
    ingress: refOf(one.ingress, 'Ingress'),
    field: where,
    isDefaultBackend: false,
    denied: one.denied,
    features: one.features,
  }
  // The original compares with the first location of the path only and so writes some blocks twice, which stops
  // every later change; we keep the first of each path and type.
  const taken = server.locations.find((location) => location.path === path && location.pathType === pathType)
  if (taken === undefined) {
    server.locations.push(placed)
    return true
  }
  if (taken.isDefaultBackend) {
    Object.assign(taken, placed)
    return true
  }
  problems.push({
    code: 'NGX_CONFLICT',
    severity: 'warning',
    object: refOf(one.ingress, 'Ingress'),
    path: where,
    message: `${pathType} ${path} of ${server.host} belongs to the older Ingress ${taken.ingress?.namespace}/${taken.ingress?.name}`,
    fallback: 'this path is left out',
  })
  return false
}

function gatherAffinity(one: ReadIngress, backend: BackendDraft, host: string, path: string): void {
  const wish = featureOf(one.features, affinity)
  backend.affinityMode ??= wish.mode
  if (!wish.isOn) return
  const locations = { ...backend.affinity?.locations }
  locations[host] = [...(locations[host] ?? []), path]
  // COMPAT: the cookie's details are those of the last Ingress (controller.go getBackendServers).
  backend.affinity = { ...wish.cookie, mode: 'balanced', locations }
}
