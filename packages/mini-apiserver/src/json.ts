// JSON values as the server keeps and changes them, with readers that never throw on a wrong shape.

/** Any JSON value; `undefined` counts as absent. */
export type Json = string | number | boolean | null | Json[] | JsonObject

/** A JSON object. */
export interface JsonObject {
  [key: string]: Json | undefined
}

/** Whether the value is an object (not a list, not null). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object at a key, or an empty one that is not attached. */
export function objectAt(parent: JsonObject | undefined, key: string): JsonObject {
  const value = parent?.[key]
  return isObject(value) ? value : {}
}

/** The objects of a list at a key; other elements are left out. */
export function objectsAt(parent: JsonObject | undefined, key: string): JsonObject[] {
  const value = parent?.[key]
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** The text at a key, or `''`. */
export function textAt(parent: JsonObject | undefined, key: string): string {
  const value = parent?.[key]
  return typeof value === 'string' ? value : ''
}

/** The texts of a list at a key. */
export function textsAt(parent: JsonObject | undefined, key: string): string[] {
  const value = parent?.[key]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** The number at a key, or `undefined`. */
export function numberAt(parent: JsonObject | undefined, key: string): number | undefined {
  const value = parent?.[key]
  return typeof value === 'number' ? value : undefined
}

/** Sets a key that came from outside; `__proto__` becomes an ordinary key instead of the prototype. */
export function setKey(object: JsonObject, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  } else object[key] = value
}

/** A deep copy of a JSON value. */
export function copyJson<T extends Json | undefined>(value: T): T {
  if (Array.isArray(value)) return value.map(copyJson) as T
  if (!isObject(value)) return value
  const copy: JsonObject = {}
  for (const [key, item] of Object.entries(value)) if (item !== undefined) setKey(copy, key, copyJson(item))
  return copy as T
}

/** Freezes a JSON value all the way down, so that what is stored can be handed out without copying. */
export function freezeJson<T extends Json>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    for (const item of Object.values(value)) if (item !== undefined) freezeJson(item)
    Object.freeze(value)
  }
  return value
}
