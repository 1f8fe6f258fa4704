// What a translator keeps from one translation to the next. Everything in it is checked before it is used again: by
// the identity of the objects it came from, or by comparing the drafts. Settings and flags hold for the whole memory.

import type { EndpointSlice, Ingress, Problem, Service } from '@kubewire/kube-model'
import type { Backend } from '../model/backend.ts'
import type { FeatureValues } from '../model/location.ts'
import type { Server } from '../model/server.ts'
import type { Certificate, TlsModel } from '../model/tls.ts'
import type { BackendDraft, ReadIngress, ServerDraft } from './drafts.ts'
import type { Lookup } from './recorded-lookups.ts'
import type { Sources } from './sources.ts'

/** A result with the questions that it rests on. */
export interface Remembered<T> {
  readonly value: T
  readonly lookups: readonly Lookup[]
}

/** A server with what it needs in `tls`. */
export interface FinishedServer {
  readonly server: Server
  readonly certificate: Certificate | string | undefined
}

/** A finished server and the draft it was made of. */
export interface RememberedServer extends Remembered<FinishedServer> {
  readonly draft: ServerDraft
  readonly problems: readonly Problem[]
}

/** A backend and what it was made of. */
export interface RememberedDraft {
  /** The Ingress that mentions it first. */
  readonly first: ReadIngress
  readonly service: Service | undefined
  readonly slices: readonly EndpointSlice[]
  readonly draft: BackendDraft
}

/** The hosts of a translation. */
export interface RememberedHost {
  readonly draft: ServerDraft
  /** Whether the draft follows from its own Ingresses and from which backends there are. */
  readonly isOwn: boolean
}

/** The memory of one translator under one set of settings. */
export interface TranslationMemory {
  /** Values of families without an annotation, and the built-in catch-all location. */
  common: Remembered<{ readonly defaults: FeatureValues; readonly builtIn: ReadIngress }> | undefined
  readonly readings: WeakMap<Ingress, Remembered<ReadIngress>>
  /** Feature values by their text: equal values are one object. */
  readonly features: Map<string, FeatureValues>
  /** Changed values by the text of the annotations they follow from alone. */
  readonly byText: Map<string, FeatureValues>
  sources: Sources | undefined
  /** Of the last translation, by name and by host. */
  readonly drafts: Map<string, RememberedDraft>
  hosts: ReadonlyMap<string, RememberedHost>
  servers: ReadonlyMap<string, RememberedServer>
  /** In the order of the file. */
  order: readonly string[]
  backends: ReadonlyMap<string, Backend>
  built: ReadonlyMap<string, BackendDraft>
  tls:
    | {
        readonly names: readonly string[]
        readonly values: readonly (Certificate | string)[]
        readonly model: TlsModel
      }
    | undefined
}

/** A memory of nothing. */
export function emptyMemory(): TranslationMemory {
  return {
    common: undefined,
    readings: new WeakMap(),
    features: new Map(),
    byText: new Map(),
    sources: undefined,
    drafts: new Map(),
    hosts: new Map(),
    servers: new Map(),
    order: [],
    backends: new Map(),
    built: new Map(),
    tls: undefined,
  }
}
