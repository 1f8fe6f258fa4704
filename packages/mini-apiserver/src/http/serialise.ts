// Stored objects as JSON text, made once per object: a changed object is sent to every watcher, and lists send all of them.

import type { JsonObject } from '../json.ts'

const texts = new WeakMap<JsonObject, string>()

/** The JSON of an object; remembered for frozen ones, which never change. */
export function serialise(object: JsonObject): string {
  const known = texts.get(object)
  if (known !== undefined) return known
  const text = JSON.stringify(object)
  if (Object.isFrozen(object)) texts.set(object, text)
  return text
}

/** The same without `kind` and `apiVersion`, as items of built-in lists are. */
export function serialiseItem(object: JsonObject): string {
  const { kind, apiVersion } = object
  const prefix = `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`
  const text = serialise(object)
  if (text.startsWith(prefix)) return `{${text.slice(prefix.length)}`
  const { kind: _kind, apiVersion: _version, ...rest } = object
  return JSON.stringify(rest)
}
