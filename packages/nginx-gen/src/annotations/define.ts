// What an annotation is, what a family of annotations is, and how a family says which directives it wants where.
// A family reads its annotations (checked one by one), resolves them with what they name in the cluster into plain
// data, and renders that data. The model holds the data under the family's name.

import type { ClusterSnapshot, Ingress, ObjectRef } from '@kubewire/kube-model'
import type { Argument, ConfigNode, TextArgument } from '../config/node.ts'
import type { FeatureValues, Location } from '../model/location.ts'
import type { Server } from '../model/server.ts'
import type { Settings } from '../settings/registry.ts'
import type { RiskLevel } from '../settings/security.ts'
import type { ControllerOptions } from '../snapshot/controller-options.ts'
import type { ValueParser } from './values.ts'

/** Chapter of the reference an annotation is listed in. */
export type AnnotationGroup =
  | 'routing'
  | 'canary'
  | 'balancing'
  | 'access'
  | 'headers'
  | 'limits'
  | 'proxy'
  | 'tls'
  | 'other'

/**
 * What happens when a value does not parse: `ignore` the annotation (its default holds), `refuse` the whole Ingress,
 * or `deny` its locations (503). Whatever would weaken access control never is `ignore`.
 */
export type InvalidValue = 'ignore' | 'refuse' | 'deny'

/** One annotation. The first name counts, further ones are aliases that are read when it is absent. */
export interface Annotation<T> {
  readonly names: readonly [string, ...string[]]
  readonly group: AnnotationGroup
  readonly scope: 'ingress' | 'location'
  readonly risk: RiskLevel
  readonly value: ValueParser<T>
  readonly invalid: InvalidValue
  /** The default in words, for the reference page and the fallback of a problem. */
  readonly fallback: string
  readonly summary: string
  readonly tier: 1 | 2 | 3
}

/** Checks a definition's type; returns it as it is. */
export function defineAnnotation<T>(annotation: Annotation<T>): Annotation<T> {
  return annotation
}

/** Reads a family's own annotations: the value, or `undefined` when absent, empty or (with `ignore`) not valid. */
export type AnnotationReader = <T>(annotation: Annotation<T>) => T | undefined

/** What a family may look at and say while it resolves. */
export interface ResolveContext {
  /** Whether this is the built-in `/` of the catch-all server, to which no default of the ConfigMap applies. */
  readonly isBuiltIn: boolean
  /** Absent for the built-in `/` of the catch-all server. */
  readonly ingress: Ingress | undefined
  readonly namespace: string
  /** `namespace/name` of the Ingress, for names derived by hash. */
  readonly key: string
  readonly snapshot: ClusterSnapshot
  readonly settings: Settings
  readonly options: ControllerOptions
  /** Whether the annotation is there, valid or not. */
  has(annotation: Annotation<unknown>): boolean
  /** Whether the annotation is there under its first name, with nothing in it. */
  isBlank(annotation: Annotation<unknown>): boolean
  /** Reports a problem with an annotation that has no effect on the others. */
  warn(annotation: Annotation<unknown>, message: string, fallback: string): void
  /** Reports an annotation that this nginx has no module for. */
  unavailable(annotation: Annotation<unknown>, fallback: string): void
  /** Lets every location of the Ingress answer 503; `effect` where a user meets another answer first. */
  deny(annotation: Annotation<unknown>, reason: string, effect?: string): void
  /** Sets the whole Ingress aside. */
  refuse(annotation: Annotation<unknown>, reason: string): void
  /** Adds a file to the model; the answer is its name. */
  addFile(kind: 'passwd' | 'ca' | 'crl' | 'pair', content: string): string
}

/** What rendering a location may look at besides the family's value. */
export interface RenderContext {
  readonly location: Location
  readonly server: Server
  readonly settings: Settings
  readonly options: ControllerOptions
  /** Path of a file of `Model.files`. */
  readonly filePath: (name: string) => string
  /** Folder for what nginx keeps on disk. */
  readonly tempDir: string
  /** `grpc_set_header` or `proxy_set_header`, as the location proxies. */
  readonly setHeader: 'grpc_set_header' | 'proxy_set_header'
}

/**
 * Ordered places in a location. Within the rewrite phase nginx follows the order of the file, so the order here is the
 * order of effect (reference: order in which a request is processed).
 */
export const slots = [
  'variables',
  'logs',
  'access',
  'cors',
  'auth',
  'limits',
  'body',
  'proxy',
  'snippet',
  'response',
  'errors',
  'return',
  'rewrite',
  'pass',
  'after-pass',
] as const

/** Name of an ordered place in a location. */
export type Slot = (typeof slots)[number]

/** A directive and where it belongs. */
export type Placed =
  | { readonly kind: 'location'; readonly slot: Slot; readonly nodes: readonly ConfigNode[] }
  | { readonly kind: 'server'; readonly nodes: readonly ConfigNode[] }
  | { readonly kind: 'http'; readonly nodes: readonly ConfigNode[] }
  | { readonly kind: 'request-header'; readonly name: string; readonly value: Argument }
  | ({ readonly kind: 'host-redirect' } & HostRedirect)

/** An answer of the whole host to one path, before its locations are looked at. */
export interface HostRedirect {
  readonly path: string
  readonly status: number
  readonly target: TextArgument
}

/** Directives in a slot of the location. */
export function at(slot: Slot, ...nodes: readonly ConfigNode[]): Placed {
  return { kind: 'location', slot, nodes }
}

/** Directives of the server around the location; equal ones of several locations are written once. */
export function inServer(...nodes: readonly ConfigNode[]): Placed {
  return { kind: 'server', nodes }
}

/** Directives of `http`; equal ones of several locations are written once. */
export function inHttp(...nodes: readonly ConfigNode[]): Placed {
  return { kind: 'http', nodes }
}

/** A header of the request to the backend; replaces one of the same name. */
export function requestHeader(name: string, value: Argument): Placed {
  return { kind: 'request-header', name, value }
}

/** An answer of the whole host to one path. */
export function hostRedirect(path: string, status: number, target: TextArgument): Placed {
  return { kind: 'host-redirect', path, status, target }
}

/**
 * A text that belongs to the route: it stands in the location where there is one for each path, and where routes are data
 * it travels with them, so that another value is no other class of settings. What is not marked belongs to the class.
 *
 * @param name - of an nginx variable of its own
 * @param pattern - whose groups the text may name
 */
export function perRoute(name: `route_${string}`, text: TextArgument, pattern?: string): TextArgument {
  return { ...text, carrier: { kind: 'variable', name, pattern } }
}

/** A pattern that the router has matched already where routes are data. */
export function matchedPerRoute(pattern: TextArgument): TextArgument {
  return { ...pattern, carrier: { kind: 'matched' } }
}

/** Annotations that are read, resolved and rendered together. */
export interface Family<V> {
  readonly name: string
  readonly annotations: readonly Annotation<unknown>[]
  resolve(read: AnnotationReader, context: ResolveContext): V
  render?(value: V, context: RenderContext): readonly Placed[]
}

/** Checks a definition's type; returns it as it is. */
export function defineFamily<V>(family: Family<V>): Family<V> {
  return family
}

/** The value of a family in a location or Ingress; every family in the registry has one. */
export function featureOf<V>(features: FeatureValues, family: Family<V>): V {
  if (!Object.hasOwn(features, family.name)) throw new Error(`no value of family ${family.name}`)
  return features[family.name] as V
}

/** Reference of the object an annotation names, in the Ingress's namespace unless it says otherwise. */
export function referenceOf(name: string, namespace: string): ObjectRef & { readonly namespace: string } {
  const slash = name.indexOf('/')
  return slash < 0
    ? { kind: '', namespace, name }
    : { kind: '', namespace: name.slice(0, slash), name: name.slice(slash + 1) }
}
