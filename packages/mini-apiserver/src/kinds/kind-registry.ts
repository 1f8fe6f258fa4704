// The kinds being served: the built-in list and those that CRDs add while the server runs.

import type { ApiKind } from './define-kind.ts'

/** Kinds by group, version and plural. */
export interface KindRegistry {
  /** Every kind; built-in ones in registry order, then custom ones. */
  all(): readonly ApiKind[]
  /** The kind behind a path. */
  find(group: string, version: string, plural: string): ApiKind | undefined
  /** The kind of an object. */
  ofObject(apiVersion: string, kind: string): ApiKind | undefined
  hasGroup(group: string): boolean
  /** Replaces the kinds that one CRD defines. */
  setCustom(definition: string, kinds: readonly ApiKind[]): void
  /** Grows with every change of the custom kinds; discovery and OpenAPI are cached by it. */
  readonly revision: number
}

/** A registry with the built-in kinds. */
export function createKindRegistry(builtIn: readonly ApiKind[]): KindRegistry {
  const custom = new Map<string, readonly ApiKind[]>()
  let every: readonly ApiKind[] = builtIn
  let byPath = new Map<string, ApiKind>()
  let byKind = new Map<string, ApiKind>()
  let revision = 0
  const index = () => {
    every = [...builtIn, ...[...custom.values()].flat()]
    byPath = new Map(every.map((kind) => [`${kind.group}/${kind.version}/${kind.plural}`, kind]))
    byKind = new Map(every.map((kind) => [`${apiVersionOf(kind)}/${kind.kind}`, kind]))
    revision++
  }
  index()
  return {
    all: () => every,
    find: (group, version, plural) => byPath.get(`${group}/${version}/${plural}`),
    ofObject: (apiVersion, kind) => byKind.get(`${apiVersion}/${kind}`),
    hasGroup: (group) => every.some((kind) => kind.group === group),
    setCustom: (definition, kinds) => {
      if (kinds.length === 0) custom.delete(definition)
      else custom.set(definition, kinds)
      index()
    },
    get revision() {
      return revision
    },
  }
}

/** `v1` or `networking.k8s.io/v1`. */
export function apiVersionOf({ group, version }: Pick<ApiKind, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`
}
