// Servers and their locations from the rules of ordinary Ingresses. "First" means first by age; the first that claims
// a host, path and type has it. Canary Ingresses never make a server or a location.
// Source: ingress-nginx 1.15 controller.go createServers and getBackendServers.

import type { Problem } from '@kubewire/kube-model'
import { affinity } from '../annotations/affinity.ts'
import { featureOf } from '../annotations/define.ts'
import { serverWishes } from '../annotations/server.ts'
import { sslRedirect, withoutSslRedirect } from '../annotations/ssl-redirect.ts'
import { wwwRedirect } from '../annotations/www-redirect.ts'
import { defaultBackendName } from '../model/backend.ts'
import { catchAllHost } from '../model/server.ts'
import type { CollectedBackends } from './backends.ts'
import type { BackendDraft, ReadIngress, ServerDraft } from './drafts.ts'
import { isSameList } from './once-per-object.ts'
import { backendName, type LocationDraft, portText } from './rule-parts.ts'
import type { RememberedHost, TranslationMemory } from './translation-memory.ts'

/** What `buildServers` works with. */
interface Building {
  readonly servers: Map<string, ServerDraft>
  readonly backends: ReadonlyMap<string, BackendDraft>
  /** Hosts that are taken over as they were: their paths are placed already. */
  readonly kept: ReadonlySet<string>
  readonly problems: Problem[]
  /** Hosts with a problem, to be told again the next time. */
  readonly troubled: Set<string>
}

/**
 * Builds the servers; `builtIn` is what the catch-all location is read from. A host whose Ingresses are those of the
 * translation before is the same draft, as long as there are the same backends.
 */
export function buildServers(
  ingresses: readonly ReadIngress[],
  { drafts: backends, isSameSet }: CollectedBackends,
  builtIn: ReadIngress,
  memory: TranslationMemory,
  problems: Problem[],
): Map<string, ServerDraft> {
  const ordinary = ingresses.filter((one) => !one.isCanary)
  const byHost = ingressesByHost(ordinary)
  const kept = new Set<string>()
  const servers = new Map<string, ServerDraft>()
  servers.set(catchAllHost, newServer(catchAllHost, rootLocation(builtIn, undefined, backends), []))
  for (const [host, own] of byHost) {
    const before = isSameSet ? memory.hosts.get(host) : undefined
    if (before?.isOwn && host !== catchAllHost && isSameList(before.draft.ingresses, own)) {
      kept.add(host)
      servers.set(host, before.draft)
      continue
    }
    const first = own[0] as ReadIngress
    const fallback = backendName(first.namespace, first.ingress.spec?.defaultBackend)
    const root = servers.get(host)?.locations[0] ?? rootLocation(first, fallback, backends)
    servers.set(host, newServer(host, root, own))
  }
  openCatchAll(ordinary, servers)
  const building: Building = { servers, backends, kept, problems, troubled: new Set() }
  for (const one of ordinary) if (!one.hosts.every((host) => kept.has(host))) placeRules(one, building)
  const hosts = new Map<string, RememberedHost>()
  for (const [host, draft] of servers) {
    const before = memory.hosts.get(host)
    hosts.set(host, before?.draft === draft ? before : { draft, isOwn: !building.troubled.has(host) && isAlone(draft) })
  }
  memory.hosts = hosts
  return servers
}

function isAlone({ ingresses }: ServerDraft): boolean {
  return !ingresses.some((one) => one.looksAround)
}

/** Ingresses of each host, oldest first; hosts in the order in which they are first named. */
function ingressesByHost(ordinary: readonly ReadIngress[]): ReadonlyMap<string, ReadIngress[]> {
  const byHost = new Map<string, ReadIngress[]>()
  for (const one of ordinary) {
    for (const host of one.hosts) {
      const own = byHost.get(host)
      if (own === undefined) byHost.set(host, [one])
      else if (own.at(-1) !== one) own.push(one)
    }
  }
  return byHost
}

function openCatchAll(ordinary: readonly ReadIngress[], servers: ReadonlyMap<string, ServerDraft>): void {
  const catchAll = servers.get(catchAllHost)
  for (const one of ordinary) {
    if (one.hosts.length > 0) continue
    const root = catchAll?.locations[0]
    const fallback = backendName(one.namespace, one.ingress.spec?.defaultBackend)
    if (catchAll !== undefined && root?.isDefaultBackend && fallback !== undefined)
      catchAll.locations[0] = catchAllOf(one, root, fallback)
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
    // COMPAT: its redirects, that to https among them, and rewrites do not apply there (controller.go createServers).
    features: {
      ...one.features,
      redirect,
      rewrite,
      [sslRedirect.name]: withoutSslRedirect(featureOf(one.features, sslRedirect)),
    },
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

function newServer(host: string, root: LocationDraft, ingresses: readonly ReadIngress[]): ServerDraft {
  return { host, locations: [root], ingresses, redirectsFromWww: false }
}

/** Further names of a host: those of its first Ingress that has any, but no hosts of their own. */
export function aliasesOf(server: ServerDraft, servers: ReadonlyMap<string, ServerDraft>): readonly string[] {
  const wishes = server.ingresses.map((one) => featureOf(one.features, serverWishes).aliases)
  const aliases = wishes.find((names) => names.length > 0) ?? []
  return [...new Set(aliases)].filter((alias) => alias !== server.host && !servers.has(alias)).sort()
}

function placeRules(one: ReadIngress, { servers, backends, kept, problems, troubled }: Building): void {
  const redirectsFromWww = featureOf(one.features, wwwRedirect)
  const wish = featureOf(one.features, affinity)
  let last: ServerDraft | undefined
  for (const { host, location } of one.paths) {
    if (kept.has(host)) continue
    const server = last?.host === host ? last : servers.get(host)
    if (server === undefined) throw new Error(`no server was opened for host ${host}`)
    last = server
    const backend = backends.get(location.backend)
    if (backend === undefined) continue
    const before = problems.length
    if (!backend.isOrdinary) problems.push(takenByCanary(one, location.field, backend.name))
    else if (placePath(server, location, problems) && redirectsFromWww) server.redirectsFromWww = true
    if (problems.length > before) troubled.add(host)
    if (!backend.isOrdinary) continue
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
  let at = 0
  for (const location of server.locations) {
    if (location.path === path && location.pathType === pathType) break
    at++
  }
  const taken = server.locations[at]
  if (taken === undefined || taken.isDefaultBackend) {
    server.locations[at] = placed
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
