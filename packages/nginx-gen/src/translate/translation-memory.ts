// What a translator keeps from one translation to the next. Everything in it is checked before it is used again: by
// the identity of the objects it came from, or by comparing the drafts. Settings and flags hold for the whole memory.

import type { EndpointSlice, Ingress, Problem, Service } from '@kubewire/kube-model'
import type { Backend, BackendEndpoint } from '../model/backend.ts'
import type { FeatureValues } from '../model/location.ts'
import type { Server } from '../model/server.ts'
import type { Certificate } from '../model/tls.ts'
import type { ReadIngress, ServerDraft } from './drafts.ts'
import type { Lookup } from './recorded-lookups.ts'

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

/** Endpoints of a Service port, and the slices they were read from. */
export interface RememberedEndpoints {
  readonly slices: readonly EndpointSlice[]
  readonly endpoints: readonly BackendEndpoint[]
}

/** The memory of one translator under one set of settings. */
export interface TranslationMemory {
  /** Values of families without an annotation, and the built-in catch-all location. */
  common: Remembered<{ readonly defaults: FeatureValues; readonly builtIn: ReadIngress }> | undefined
  readonly readings: WeakMap<Ingress, Remembered<ReadIngress>>
  /** Feature values by their text: equal values are one object. */
  readonly features: Map<string, FeatureValues>
  readonly endpoints: WeakMap<Service, Map<string, RememberedEndpoints>>
  /** Of the last translation, by host and by name. */
  servers: ReadonlyMap<string, RememberedServer>
  backends: ReadonlyMap<string, Backend>
}

/** A memory of nothing. */
export function emptyMemory(): TranslationMemory {
  return {
    common: undefined,
    readings: new WeakMap(),
    features: new Map(),
    endpoints: new WeakMap(),
    servers: new Map(),
    backends: new Map(),
  }
}
