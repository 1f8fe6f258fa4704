// Servers and their locations from the rules of ordinary Ingresses. "First" means first by age; the first that claims
// a host, path and type has it. Canary Ingresses never make a server or a location.
// Source: ingress-nginx 1.15 controller.go createServers and getBackendServers.

import type { IngressPath, Problem } from '@kubewire/kube-model'
import { affinity } from '../annotations/affinity.ts'
import { canary } from '../annotations/canary.ts'
import { featureOf } from '../annotations/define.ts'
import { serverWishes } from '../annotations/server.ts'
import { wwwRedirect } from '../annotations/www-redirect.ts'
import { defaultBackendName } from '../model/backend.ts'
import { catchAllHost } from '../model/server.ts'
import { type BackendDraft, backendName, portText } from './backends.ts'
import type { LocationDraft, ReadIngress, ServerDraft } from './drafts.ts'
import { oncePerObject } from './once-per-object.ts'

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
  const catchAll = servers.get(catchAllHost)
  const root = catchAll?.locations[0]
  if (catchAll !== undefined && root?.isDefaultBackend && fallback !== undefined && (spec?.rules ?? []).length === 0)
    catchAll.locations[0] = catchAllOf(one, root, fallback)
  for (const rule of spec?.rules ?? []) {
    const host = hostOf(rule)
    const server = servers.get(host) ?? newServer(host, rootLocation(one, fallback, backends))
    servers.set(host, server)
    if (server.ingresses.at(-1) !== one) server.ingresses.push(one)
  }
}

/** An Ingress with a default backend and no rule serves the root of the catch-all server. */
function catchAllOf(one: ReadIngress, root: LocationDraft, backend: string): LocationDraft {
  const { redirect, rewrite } = root.features
  const { defaultBackend } = one.ingress.spec ?? {}
  return {
    ...root,
    backend,
    isDefaultBackend: false,
    ingress: one.ref,
    field: 'spec.defaultBackend',
    serviceName: defaultBackend?.service?.name ?? '',
    servicePort: portText(defaultBackend),
    denied: one.denied,
    // COMPAT: its redirects and rewrites do not apply there (controller.go createServers).
    features: { ...one.features, redirect, rewrite },
  }
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
    ingress: one.name === '' ? undefined : one.ref,
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

/** A path of a rule as a location, before anything else is known. */
interface PlannedPath {
  readonly host: string
  readonly location: LocationDraft
}

const plannedPaths = oncePerObject((one: ReadIngress): readonly PlannedPath[] =>
  (one.ingress.spec?.rules ?? []).flatMap((rule, i) =>
    (rule.http?.paths ?? []).map((rulePath, j) => ({
      host: hostOf(rule),
      location: {
        ...normalPath(rulePath),
        backend: backendName(one.namespace, rulePath.backend) ?? '',
        serviceName: rulePath.backend?.service?.name ?? '',
        servicePort: portText(rulePath.backend),
        ingress: one.ref,
        field: `spec.rules[${i}].http.paths[${j}]`,
        isDefaultBackend: false,
        denied: one.denied,
        features: one.features,
      },
    })),
  ),
)

function placeRules(
  one: ReadIngress,
  servers: ReadonlyMap<string, ServerDraft>,
  backends: ReadonlyMap<string, BackendDraft>,
  problems: Problem[],
): void {
  const redirectsFromWww = featureOf(one.features, wwwRedirect)
  const wish = featureOf(one.features, affinity)
  let last: ServerDraft | undefined
  for (const { host, location } of plannedPaths(one)) {
    const server = last?.host === host ? last : servers.get(host)
    if (server === undefined) throw new Error(`no server was opened for host ${host}`)
    last = server
    const backend = backends.get(location.backend)
    if (backend === undefined) continue
    if (!backend.isOrdinary) {
      problems.push(takenByCanary(one, location.field, backend.name))
      continue
    }
    if (placePath(server, location, problems) && redirectsFromWww) server.redirectsFromWww = true
    backend.affinityMode ??= wish.mode
    if (wish.isOn) gatherAffinity(wish, backend, location.path, [host, ...aliasesOf(server, servers)])
  }
}

function takenByCanary(one: ReadIngress, path: string, backend: string): Problem {
  return {
    code: 'NGX_CANARY',
    severity: 'error',
    object: one.ref,
    path,
    message: `the backend ${backend} belongs to an older canary Ingress`,
    fallback: 'this path is left out',
  }
}

function placePath(server: ServerDraft, placed: LocationDraft, problems: Problem[]): boolean {
  const { path, pathType } = placed
  // The original compares with the first location of the path only and so writes some blocks twice, which stops
  // every later change; we keep the first of each path and type.
  const at = server.locations.findIndex((location) => location.path === path && location.pathType === pathType)
  const taken = server.locations[at]
  if (taken === undefined || taken.isDefaultBackend) {
    server.locations[taken === undefined ? server.locations.length : at] = placed
    return true
  }
  problems.push({
    code: 'NGX_CONFLICT',
    severity: 'warning',
    object: placed.ingress ?? { kind: 'Ingress', name: '' },
    path: placed.field,
    message: `${pathType} ${path} of ${server.host} belongs to the older Ingress ${taken.ingress?.namespace}/${taken.ingress?.name}`,
    fallback: 'this path is left out',
  })
  return false
}

function gatherAffinity(
  wish: ReturnType<typeof affinity.resolve>,
  backend: BackendDraft,
  path: string,
  hosts: readonly string[],
): void {
  const locations = { ...backend.affinity?.locations }
  for (const host of hosts) locations[host] = [...(locations[host] ?? []), path]
  // COMPAT: the cookie's details are those of the last Ingress (controller.go getBackendServers).
  backend.affinity = { ...wish.cookie, mode: 'balanced', locations }
}
