// A location: where it matches (route) and what its features decided (settings). Features are held by name as plain
// data; `Feature` in annotations/define.ts gives each of them its type and its directives.

import type { ObjectRef } from '@kubewire/kube-model'

/** How nginx matches the path: `=`, a prefix, or `~*` anchored at the start. */
export type LocationMatch = 'exact' | 'prefix' | 'regex'

/** The part of a location that differs from its neighbours: data, also when everything else is shared. */
export interface Route {
  readonly match: LocationMatch
  /** Path of the block, without the `^` of a regex one. */
  readonly path: string
  /** Path as the rule writes it; labels metrics, logs and cookies. */
  readonly rulePath: string
  /** Path type of the rule after normalisation. */
  readonly pathType: 'Exact' | 'Prefix'
  readonly backend: string
  /** The Ingress whose rule made this; absent for the built-in `/` of the catch-all server. */
  readonly ingress: ObjectRef | undefined
  readonly serviceName: string
  readonly servicePort: string
}

/** One location of a server. */
export interface Location {
  readonly route: Route
  /** Whether this is the `/` that every server gets, not yet taken over by a rule. */
  readonly isDefaultBackend: boolean
  /** Why the location answers 503 to everything (fail closed); the reason never enters the configuration. */
  readonly denied: string | undefined
  /** Field of the Ingress that made it: `spec.rules[0].http.paths[1]`. */
  readonly field: string
  /** Values of the annotation families by family name. */
  readonly features: FeatureValues
}

/** Resolved annotation families by name; read through `featureOf`. */
export interface FeatureValues {
  readonly [family: string]: unknown
}
