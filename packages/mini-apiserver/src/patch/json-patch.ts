// RFC 6902 JSON patch. The input is never changed.

import { deepEqual } from '@kubewire/kube-model'
import { copyJson, isObject, type Json, setKey } from '../json.ts'

/** An operation that cannot be applied; the API answers 422 for all of them. */
export class JsonPatchError extends Error {
  override readonly name = 'JsonPatchError'
}

/** Most operations of one patch (apiserver `JSONPatchMaxCopyBytes` companion limit). */
export const maxOperations = 10_000

/** Applies a list of operations; throws `JsonPatchError` at the first that fails. */
export function applyJsonPatch(document: Json, operations: readonly Json[]): Json {
  const root = { value: copyJson(document) }
  for (const operation of operations) {
    if (!isObject(operation)) throw new JsonPatchError('an operation is no object')
    applyOperation(root, operation['op'], pointer(operation['path']), operation)
  }
  return root.value
}

interface Root {
  value: Json
}

function applyOperation(
  root: Root,
  op: Json | undefined,
  path: readonly string[],
  operation: { [key: string]: Json | undefined },
): void {
  switch (op) {
    case 'add':
      add(root, path, copyJson(operation['value'] ?? null))
      return
    case 'remove':
      remove(root, path)
      return
    case 'replace':
      read(root, path)
      if (path.length > 0) remove(root, path)
      add(root, path, copyJson(operation['value'] ?? null))
      return
    case 'move':
      add(root, path, remove(root, pointer(operation['from'])))
      return
    case 'copy':
      add(root, path, copyJson(read(root, pointer(operation['from']))))
      return
    case 'test':
      if (!deepEqual(read(root, path), operation['value'] ?? null)) {
        throw new JsonPatchError(`testing value ${path.join('/')} failed`)
      }
      return
    default:
      throw new JsonPatchError(`unexpected kind: ${String(op)}`)
  }
}

function pointer(path: Json | undefined): string[] {
  if (typeof path !== 'string' || (path !== '' && !path.startsWith('/'))) {
    throw new JsonPatchError(`a path must begin with a slash: ${String(path)}`)
  }
  return path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function read(root: Root, path: readonly string[]): Json {
  return path.reduce<Json>((value, part) => child(value, part), root.value)
}

function child(value: Json, part: string): Json {
  if (Array.isArray(value)) return value[index(part, value.length - 1)] as Json
  const found = isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined
  if (found === undefined) throw new JsonPatchError(`unable to find ${part}`)
  return found
}

function add(root: Root, path: readonly string[], value: Json): void {
  const last = path.at(-1)
  if (last === undefined) {
    root.value = value
    return
  }
  const parent = read(root, path.slice(0, -1))
  if (Array.isArray(parent)) parent.splice(last === '-' ? parent.length : index(last, parent.length), 0, value)
  else if (isObject(parent)) setKey(parent, last, value)
  else throw new JsonPatchError(`${path.join('/')} has no parent that could hold it`)
}

function remove(root: Root, path: readonly string[]): Json {
  const last = path.at(-1)
  if (last === undefined) throw new JsonPatchError('the whole document cannot be removed')
  const parent = read(root, path.slice(0, -1))
  const value = child(parent, last)
  if (Array.isArray(parent)) parent.splice(index(last, parent.length - 1), 1)
  else delete (parent as { [key: string]: Json })[last]
  return value
}

function index(part: string, max: number): number {
  const value = /^(0|[1-9][0-9]*)$/.test(part) ? Number(part) : Number.NaN
  if (!(value <= max)) throw new JsonPatchError(`invalid index ${part}`)
  return value
}
