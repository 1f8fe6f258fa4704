// What the stages of a translation hand to each other, before it is a model.

import type { ClusterSnapshot, Ingress, ObjectRef, Problem } from '@kubewire/kube-model'
import type { ExtendedOptions } from '../annotations/extended-options.ts'
import type { Backend, CanaryPolicy, CookieAffinity } from '../model/backend.ts'
import type { FeatureValues } from '../model/location.ts'
import type { ConfigFile } from '../model/tls.ts'
import type { Settings } from '../settings/registry.ts'
import type { LocationDraft, RuleParts } from './rule-parts.ts'

/** An Ingress with what its annotations say. */
export interface ReadIngress extends RuleParts {
  readonly ingress: Ingress
  readonly ref: ObjectRef
  readonly namespace: string
  readonly name: string
  readonly features: FeatureValues
  readonly denied: string | undefined
  readonly problems: readonly Problem[]
  /** Set aside: nothing of it is served. */
  readonly isRefused: boolean
  readonly files: readonly ConfigFile[]
  /** Its rules make no server and no location. */
  readonly isCanary: boolean
  /**
   * Whether what it does to hosts depends on more than the hosts' own Ingresses: affinity is gathered over all of them,
   * a default backend takes the place of one without endpoints, aliases give way to hosts.
   */
  readonly looksAround: boolean
}

/** What every Ingress is read with. */
export interface ReadContext {
  readonly snapshot: ClusterSnapshot
  readonly settings: Settings
  readonly options: ExtendedOptions
}

/** A server while the model is built. */
export interface ServerDraft {
  readonly host: string
  readonly locations: LocationDraft[]
  /** Ordinary Ingresses with a rule for this host, oldest first. */
  readonly ingresses: readonly ReadIngress[]
  redirectsFromWww: boolean
}

/** A backend while the model is built. */
export interface BackendDraft extends Backend {
  affinity: CookieAffinity | undefined
  /** Affinity as it is gathered: mode and type come from the first Ingress, the cookie from the last. */
  affinityMode: CookieAffinity['mode'] | undefined
  canary: CanaryPolicy | undefined
  alternatives: string[]
  /**
   * Whether the first Ingress that mentions it is an ordinary one; if not, it is reached as an alternative only.
   * COMPAT: so an older canary takes a Service away from a younger ordinary Ingress (controller.go, NoServer).
   */
  isOrdinary: boolean
}
