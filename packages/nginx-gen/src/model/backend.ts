// A backend: one Service port with what the balancer must know about it. Data only: endpoints, canary and
// balancing settings reach a running nginx without a reload (dynamic/backends.ts), so nothing here may decide text
// of the configuration as long as the dynamic form is on.

import type { ObjectRef } from '@kubewire/kube-model'

/** Name of the backend that serves what no rule asks for; always there. */
export const defaultBackendName = 'upstream-default-backend'

/** One address of a backend: an IP, or a DNS name that the data plane resolves (`ExternalName`). */
export interface BackendEndpoint {
  readonly address: string
  readonly port: number
}

/** How an endpoint is picked where no affinity decides. */
export type Balancing =
  | { readonly kind: 'round-robin' }
  | { readonly kind: 'ewma' }
  | { readonly kind: 'hash'; readonly key: string; readonly subsetSize: number | undefined }

/** Cookie affinity; `locations` maps a host to the rule paths that asked for it (the cookie is set only there). */
export interface CookieAffinity {
  readonly mode: 'balanced' | 'persistent'
  readonly cookieName: string
  readonly path: string | undefined
  readonly domain: string | undefined
  readonly sameSite: string | undefined
  readonly conditionalSameSiteNone: boolean
  /** `undefined`: as the request's scheme. */
  readonly secure: boolean | undefined
  readonly expiresSeconds: number | undefined
  readonly maxAgeSeconds: number | undefined
  readonly changeOnFailure: boolean
  readonly locations: { readonly [host: string]: readonly string[] }
}

/** When a request goes to this (alternative) backend instead of the main one. */
export interface CanaryPolicy {
  readonly weight: number
  /** What 100 % is; never below 100. */
  readonly weightTotal: number
  readonly header: string | undefined
  readonly headerValue: string | undefined
  readonly headerPattern: string | undefined
  readonly cookie: string | undefined
}

/** One backend of the model; backends are sorted by name. */
export interface Backend {
  readonly name: string
  /** The Service behind it; absent for the built-in 404 and for references to Services that do not exist. */
  readonly service: ObjectRef | undefined
  /** Port as the Ingress writes it, number or name. */
  readonly port: string
  readonly endpoints: readonly BackendEndpoint[]
  readonly balancing: Balancing
  readonly affinity: CookieAffinity | undefined
  /** Present on backends of canary Ingresses: they are reached only as an alternative of another backend. */
  readonly canary: CanaryPolicy | undefined
  /** Names of alternative backends in order of attachment; only the first is used. */
  readonly alternatives: readonly string[]
}
