// Who owns which field (`metadata.managedFields`): what a plain write and what an apply do to it.
// Rules: structured-merge-diff `merge/update.go`, apiserver `managedfields`.

import { type ApiObject, printTime } from '../api-object.ts'
import { isObject, type JsonObject, textAt } from '../json.ts'
import type { ApiKind } from '../kinds/define-kind.ts'
import { apiVersionOf } from '../kinds/kind-registry.ts'
import type { FieldType } from '../schema/parse-table.ts'
import { type FieldPath, type FieldPaths, fieldPaths, isBelow, untyped } from './field-paths.ts'
import { parseFieldSet, printFieldSet } from './field-set.ts'

/** One manager and its fields. */
export interface FieldOwner {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  readonly subresource: string
  readonly time: string
  readonly fields: ReadonlySet<FieldPath>
}

/** The type that says how a kind's fields are owned. */
export function ownedType({ typeName }: ApiKind): FieldType {
  return typeName === undefined ? untyped : { kind: 'message', name: typeName }
}

/** The entries of a new object: everything beyond the empty object belongs to its creator. */
export function ownAllFields(object: ApiObject, kind: ApiKind, manager: string, nowMs: number): JsonObject[] {
  const type = ownedType(kind)
  const empty = fieldPaths({ metadata: {}, ...kind.emptyBody }, type, true)
  // The status of a new object is the server's.
  const hasStatus = kind.subresources.some(({ name }) => name === 'status')
  const isOwn = (path: FieldPath) => !(hasStatus && isWithin(path, 'f:status'))
  const fields = new Set([...compareFields(empty, fieldPaths(object, type, true)).changed].filter(isOwn))
  if (fields.size === 0) return []
  const owner = { manager, operation: 'Update', apiVersion: apiVersionOf(kind), subresource: '', fields } as const
  return printOwners([{ ...owner, time: printTime(nowMs) }])
}

function isWithin(path: FieldPath, above: FieldPath): boolean {
  return path === above || isBelow(path, above)
}

/** The entries after an update: what was added or changed belongs to the writer, what went away to nobody. */
export function ownChangedFields(
  next: ApiObject,
  old: ApiObject,
  kind: ApiKind,
  writer: { readonly manager: string; readonly subresource: string },
  owners: readonly FieldOwner[],
  nowMs: number,
): JsonObject[] {
  const type = ownedType(kind)
  const difference = compareFields(fieldPaths(old, type, true), fieldPaths(next, type, true))
  const isOwn = (owner: FieldOwner) =>
    owner.manager === writer.manager && owner.operation === 'Update' && owner.subresource === writer.subresource
  const own = owners.find(isOwn)
  const others = owners
    .filter((owner) => !isOwn(owner))
    .map((owner) => without(owner, [...difference.changed, ...difference.removed]))
  const kept = own ? [...own.fields].filter((path) => !difference.removed.has(path)) : []
  const fields = new Set([...kept, ...difference.changed])
  const mine: FieldOwner = {
    ...writer,
    operation: 'Update',
    apiVersion: apiVersionOf(kind),
    time: own && sameSet(own.fields, fields) ? own.time : printTime(nowMs),
    fields,
  }
  return printOwners([...others, mine])
}

/** Paths that differ between two states. */
export interface FieldDifference {
  /** Added, or present in both with another value. */
  readonly changed: ReadonlySet<FieldPath>
  readonly removed: ReadonlySet<FieldPath>
}

/** Compares two states of an object. */
export function compareFields(before: FieldPaths, after: FieldPaths): FieldDifference {
  const changed = new Set([...after].filter(([path, text]) => before.get(path) !== text).map(([path]) => path))
  const removed = new Set([...before.keys()].filter((path) => !after.has(path)))
  return { changed, removed }
}

/** An owner without some of its fields. */
export function without(owner: FieldOwner, paths: Iterable<FieldPath>): FieldOwner {
  const fields = new Set(owner.fields)
  for (const path of paths) fields.delete(path)
  return { ...owner, fields }
}

/** Whether two sets hold the same paths. */
export function sameSet(a: ReadonlySet<FieldPath>, b: ReadonlySet<FieldPath>): boolean {
  return a.size === b.size && [...a].every((path) => b.has(path))
}

/** Reads `metadata.managedFields`. */
export function parseOwners(entries: readonly JsonObject[] | undefined): FieldOwner[] {
  return (entries ?? [])
    .filter((entry) => textAt(entry, 'manager') !== '' || isObject(entry['fieldsV1']))
    .map((entry) => ({
      manager: textAt(entry, 'manager'),
      operation: entry['operation'] === 'Apply' ? 'Apply' : 'Update',
      apiVersion: textAt(entry, 'apiVersion'),
      subresource: textAt(entry, 'subresource'),
      time: textAt(entry, 'time'),
      fields: parseFieldSet(isObject(entry['fieldsV1']) ? entry['fieldsV1'] : undefined),
    }))
}

/** Prints owners that own something: applies first, then by time and name. */
export function printOwners(owners: readonly FieldOwner[]): JsonObject[] {
  const order = ({ operation, time, manager }: FieldOwner) => `${operation}\u0000${time}\u0000${manager}`
  return owners
    .filter(({ fields }) => fields.size > 0)
    .sort((a, b) => (order(a) < order(b) ? -1 : 1))
    .map(({ manager, operation, apiVersion, time, fields, subresource }) => ({
      manager,
      operation,
      apiVersion,
      ...(time === '' ? {} : { time }),
      fieldsType: 'FieldsV1',
      fieldsV1: printFieldSet(fields),
      ...(subresource === '' ? {} : { subresource }),
    }))
}
