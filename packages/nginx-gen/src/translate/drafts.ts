// What the stages of a translation hand to each other, before it is a model.

import type { ClusterSnapshot, Ingress, ObjectRef, Problem } from '@kubewire/kube-model'
import type { ExtendedOptions } from '../annotations/extended-options.ts'
import type { FeatureValues } from '../model/location.ts'
import type { ConfigFile } from '../model/tls.ts'
import type { Settings } from '../settings/registry.ts'

/** An Ingress with what its annotations say. */
export interface ReadIngress {
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
}

/** What every Ingress is read with. */
export interface ReadContext {
  readonly snapshot: ClusterSnapshot
  readonly settings: Settings
  readonly options: ExtendedOptions
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

/** A server while the model is built. */
export interface ServerDraft {
  readonly host: string
  readonly locations: LocationDraft[]
  /** Ordinary Ingresses with a rule for this host, oldest first. */
  readonly ingresses: ReadIngress[]
  redirectsFromWww: boolean
}
