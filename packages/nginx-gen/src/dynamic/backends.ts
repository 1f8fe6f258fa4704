// What the data plane holds beside the configuration text: backends with endpoints and balancing, certificates by host,
// routes by host. Changing it reloads nothing. The Lua side reads these names: lua/kubewire/backends.lua, certificates.lua
// and routes.lua.

import type { Backend, BackendEndpoint, Balancing, CookieAffinity } from '../model/backend.ts'
import type { Model } from '../model/model.ts'
import type { RouteTable } from '../routes/table.ts'
import { oncePerObject } from '../translate/once-per-object.ts'

/** The data of a model, ready to be pushed. Texts are JSON or PEM; keys are sorted. */
export interface DynamicData {
  /** Backend name → JSON. */
  readonly backends: { readonly [name: string]: string }
  /** Host or mask → certificate id. */
  readonly servers: { readonly [host: string]: string }
  /** Certificate id → chain and key as PEM. Never log. */
  readonly certificates: { readonly [id: string]: string }
  /** Host → JSON of its routes; empty where hosts are servers. */
  readonly routes: RouteTable
}

/** Addresses of a DNS name as last looked up; an empty list when there are none. */
export type ResolveName = (name: string) => readonly string[]

/**
 * The data of a model.
 *
 * @param resolve - for endpoints of `ExternalName` Services, whose address is a name
 * @param routes - the table of `renderRouted`
 */
export function dynamicData(model: Model, resolve: ResolveName = () => [], routes: RouteTable = {}): DynamicData {
  const certificates = model.tls.certificates.map(
    (one) => [one.id, `${one.certificate.trim()}\n${one.key.trim()}\n`] as const,
  )
  const servers = Object.entries(model.tls.hosts).map(([host, id]) => [host.toLowerCase(), id] as const)
  return {
    backends: backendTexts(model.backends, resolve),
    servers: Object.fromEntries(servers.sort(([a], [b]) => (a < b ? -1 : 1))),
    certificates: Object.fromEntries(certificates),
    routes,
  }
}

/** The data of some backends: name → JSON. */
export function backendTexts(
  backends: readonly Backend[],
  resolve: ResolveName = () => [],
): { readonly [name: string]: string } {
  return Object.fromEntries(
    backends.map((one) => {
      const isFixed = one.endpoints.every(({ address }) => isAddress(address))
      return [one.name, isFixed ? fixedText(one) : JSON.stringify(backendData(one, resolve))] as const
    }),
  )
}

const fixedText = oncePerObject((backend: Backend) => JSON.stringify(backendData(backend, () => [])))

/** DNS names among the endpoints of a model, sorted: what the daemon must look up. */
export function externalNames(model: Model): readonly string[] {
  const names = model.backends.flatMap((backend) => backend.endpoints.map((endpoint) => endpoint.address))
  return [...new Set(names.filter((address) => !isAddress(address)))].sort()
}

function backendData(backend: Backend, resolve: ResolveName): { readonly [key: string]: unknown } {
  const { balancing, affinity, canary } = backend
  return {
    name: backend.name,
    algorithm: algorithmOf(balancing, affinity),
    hashBy: balancing.kind === 'hash' ? balancing.key : undefined,
    subsetSize: balancing.kind === 'hash' ? balancing.subsetSize : undefined,
    endpoints: backend.endpoints.flatMap((endpoint) => addressesOf(endpoint, resolve)),
    affinity: affinity && affinityData(affinity),
    canary,
    // COMPAT: of several canaries of one backend only the first is ever used.
    alternative: backend.alternatives[0],
  }
}

// Affinity beats hashing beats the algorithm (ingress-nginx rootfs balancer.lua, choice of implementation).
function algorithmOf(balancing: Balancing, affinity: CookieAffinity | undefined): string {
  if (affinity !== undefined) return `sticky_${affinity.mode}`
  if (balancing.kind === 'hash') return balancing.subsetSize === undefined ? 'chash' : 'chashsubset'
  return balancing.kind === 'ewma' ? 'ewma' : 'round_robin'
}

function affinityData(affinity: CookieAffinity): { readonly [key: string]: unknown } {
  return {
    name: affinity.cookieName,
    path: affinity.path,
    domain: affinity.domain,
    sameSite: affinity.sameSite,
    conditionalSameSiteNone: affinity.conditionalSameSiteNone,
    secure: affinity.secure,
    expires: affinity.expiresSeconds,
    maxAge: affinity.maxAgeSeconds,
    changeOnFailure: affinity.changeOnFailure,
    locations: affinity.locations,
  }
}

function addressesOf(
  { address, port }: BackendEndpoint,
  resolve: ResolveName,
): { readonly address: string; readonly port: string }[] {
  const addresses = isAddress(address) ? [address] : resolve(address)
  return addresses.map((one) => ({ address: one, port: String(port) }))
}

function isAddress(text: string): boolean {
  return text.includes(':') || /^\d+\.\d+\.\d+\.\d+$/.test(text)
}
