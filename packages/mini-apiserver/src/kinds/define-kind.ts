// What a kind is to the server: its names, what may be done with it, how it is decoded, completed, checked and shown.
// A built-in kind is one definition and one line in `registry.ts`; a CRD makes one at run time (`custom/`).

import type { ApiObject } from '../api-object.ts'
import type { Cause } from '../api-status.ts'
import type { Tokens, User } from '../http/users.ts'
import type { Json, JsonObject } from '../json.ts'
import { type Decoded, decodeJson } from '../schema/decode-json.ts'
import type { WriteContext } from './write-context.ts'

/** A served kind. */
export interface ApiKind {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly listKind: string
  readonly plural: string
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly isNamespaced: boolean
  readonly verbs: readonly string[]
  readonly subresources: readonly Subresource[]
  /** Name of the collection; two kinds may show the same objects (Event of both groups). */
  readonly storage: string
  /** Type in the field tables; custom kinds have none. */
  readonly typeName: string | undefined
  /** Raw JSON → the kind's shape, with the fields it does not know. */
  readonly decode: (raw: JsonObject) => Decoded
  /** Stored object ↔ this kind's view of it; identity for nearly all. */
  readonly fromStorage: (object: ApiObject) => ApiObject
  readonly toStorage: (object: ApiObject) => ApiObject
  /** Fields that a selector may name besides `metadata.name` and `metadata.namespace`. */
  readonly selectable: { readonly [field: string]: (object: ApiObject) => string }
  /** Kinds without selectable fields of their own word the refusal differently; custom ones like the first. */
  readonly selectorStyle: 'own' | 'names'
  /** Whether a selector may name `metadata.namespace`. */
  readonly isNamespaceSelectable: boolean
  readonly columns: readonly Column[]
  /** A PUT of an absent object creates it. */
  readonly isCreatedByPut: boolean
  /** A PUT must carry `metadata.resourceVersion`. */
  readonly needsVersion: boolean
  /** DELETE answers with the object instead of a `Status`. */
  readonly answersDeleteWithObject: boolean
  readonly hasGeneration: boolean
  /** Metadata whose change raises the generation, too. */
  readonly generationCounts?: 'annotations' | 'labels'
  /** What a bookmark of this kind holds besides metadata. */
  readonly emptyBody: JsonObject
  readonly isCustom: boolean
  /** Schema of a custom kind. */
  readonly schema?: JsonObject
  readonly rules: KindRules
  /** Kind that a 422 names, when it is not this one. */
  readonly checkedAs?: { readonly group: string; readonly kind: string }
  /** Questions that are answered instead of being stored (access reviews). */
  readonly review?: (object: ApiObject, user: User, state: ReviewContext) => ApiObject
}

/** What a review may look at. */
export interface ReviewContext {
  readonly tokens: Tokens
}

/** A subresource that is answered with the kind itself (`status`) or with another document. */
export interface Subresource {
  readonly name: string
  readonly verbs: readonly string[]
  /** Kind in discovery, when it is not the parent's. */
  readonly responseKind?: { readonly group: string; readonly version: string; readonly kind: string }
}

/** The steps of a write that differ by kind. Objects are private copies and may be changed. */
export interface KindRules {
  /** Drops what a client may not set and fills in what a new object starts with; before defaults. */
  readonly prepareCreate?: (object: ApiObject, context: WriteContext) => void
  /** Carries over from the old object what a client may not change; before defaults. */
  readonly prepareUpdate?: (object: ApiObject, old: ApiObject, context: WriteContext) => void
  /** The same for a write of the status subresource. */
  readonly prepareStatus?: (object: ApiObject, old: ApiObject, context: WriteContext, sent: ApiObject) => void
  readonly setDefaults?: (object: ApiObject, context: WriteContext) => void
  /** Checks a complete object; `old` is there for updates. */
  readonly validate?: (object: ApiObject, context: WriteContext, old?: ApiObject) => readonly Cause[]
  readonly validateStatus?: (object: ApiObject, context: WriteContext, old: ApiObject) => readonly Cause[]
  /** Takes addresses and ports; runs last and may refuse. */
  readonly allocate?: (object: ApiObject, context: WriteContext, old?: ApiObject) => readonly Cause[]
  /** Words for `Warning` headers about a new or changed object. */
  readonly warn?: (object: ApiObject) => readonly string[]
  /** Whether the object's name is legal; the default is a DNS subdomain. */
  readonly validateName?: (name: string) => string | undefined
}

/** A column of `kubectl get`. */
export interface Column {
  readonly name: string
  readonly type: string
  readonly format?: string
  /** 0 is always shown, 1 with `-o wide`. */
  readonly priority?: number
  readonly cell: (object: ApiObject, nowMs: number) => Json
}

/** What a definition must say; the rest has defaults. */
export interface KindDefinition extends Partial<Omit<ApiKind, 'typeName' | 'decode' | 'rules'>> {
  readonly kind: string
  readonly plural: string
  /** Type in the field tables. */
  readonly type: string
  readonly hasStatus?: boolean
  readonly rules?: KindRules
}

/** Every verb of an ordinary kind, as discovery lists them. */
export const allVerbs: readonly string[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
]

/** The `status` subresource. */
export const statusSubresource: Subresource = { name: 'status', verbs: ['get', 'patch', 'update'] }

/** Completes a definition of a built-in kind. */
export function defineKind(definition: KindDefinition): ApiKind {
  const { type, hasStatus = false, rules = {}, ...given } = definition
  const group = given.group ?? ''
  const selectable = given.selectable ?? {}
  const empty = decodeJson({}, type).object
  return {
    group,
    version: 'v1',
    listKind: `${given.kind}List`,
    singular: given.kind.toLowerCase(),
    shortNames: [],
    categories: [],
    isNamespaced: true,
    verbs: allVerbs,
    subresources: hasStatus ? [statusSubresource] : [],
    storage: group === '' ? given.plural : `${given.plural}.${group}`,
    typeName: type,
    decode: (raw) => decodeJson(raw, type),
    fromStorage: (object) => object,
    toStorage: (object) => object,
    selectable,
    selectorStyle: Object.keys(selectable).length === 0 ? 'names' : 'own',
    isNamespaceSelectable: true,
    columns: [nameColumn, ageColumn],
    isCreatedByPut: false,
    needsVersion: false,
    answersDeleteWithObject: false,
    hasGeneration: false,
    emptyBody: Object.fromEntries(Object.entries(empty).filter(([key]) => key !== 'metadata')),
    isCustom: false,
    ...given,
    rules,
  }
}

/** `NAME`. */
export const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  cell: (object) => object.metadata.name ?? '',
}

/** `AGE`, in kubectl's short words. */
export const ageColumn: Column = {
  name: 'Age',
  type: 'string',
  cell: (object, nowMs) => printAge(object.metadata.creationTimestamp, nowMs),
}

/** The time since a timestamp, as kubectl writes it (apimachinery `duration.HumanDuration`). */
export function printAge(since: Json | undefined, nowMs: number): string {
  const startMs = typeof since === 'string' ? Date.parse(since) : Number.NaN
  if (Number.isNaN(startMs)) return '<unknown>'
  const seconds = Math.max(0, Math.floor((nowMs - startMs) / 1000))
  if (seconds < 120) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 10) return join(minutes, 'm', seconds % 60, 's')
  if (minutes < 180) return `${minutes}m`
  const hours = Math.floor(minutes / 60)
  if (hours < 8) return join(hours, 'h', minutes % 60, 'm')
  if (hours < 48) return `${hours}h`
  const days = Math.floor(hours / 24)
  if (days < 8) return join(days, 'd', hours % 24, 'h')
  if (days < 730) return `${days}d`
  const years = Math.floor(days / 365)
  return years < 8 ? join(years, 'y', days % 365, 'd') : `${years}y`
}

function join(big: number, bigUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${big}${bigUnit}` : `${big}${bigUnit}${small}${smallUnit}`
}
