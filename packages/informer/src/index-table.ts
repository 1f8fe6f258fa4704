// One named index of a store: value → keys. A value with one key holds it bare and becomes a set at the second; a
// million single values then cost 28 MiB instead of 178. Empty values vanish (kubernetes/kubernetes#84959).

import type { KubeObject, ObjectKey } from '@kubewire/kube-model'

/** The values an object is found under; `undefined` or an empty list means not at all. */
export type IndexFunction<T> = (object: T) => string | readonly string[] | undefined

/** Named index functions. */
export type Indexers<T, Name extends string> = { readonly [N in Name]: IndexFunction<T> }

/** A mutable index; only the store writer holds one. */
export class IndexTable<T extends KubeObject> {
  readonly #valuesOf: IndexFunction<T>
  readonly #onThrow: (error: unknown, object: T) => void
  readonly #keys = new Map<string, ObjectKey | Set<ObjectKey>>()

  constructor(valuesOf: IndexFunction<T>, onThrow: (error: unknown, object: T) => void) {
    this.#valuesOf = valuesOf
    this.#onThrow = onThrow
  }

  /** Moves `key` from the values of `before` to those of `after`; either may be absent. */
  update(key: ObjectKey, before: T | undefined, after: T | undefined): void {
    const oldValues = before === undefined ? none : this.#values(before, false)
    const newValues = after === undefined ? none : this.#values(after, true)
    if (oldValues.length === 1 && newValues.length === 1 && oldValues[0] === newValues[0]) return
    for (const value of oldValues) this.#remove(value, key)
    for (const value of newValues) this.#add(value, key)
  }

  /** Keys under a value. */
  keys(value: string): Iterable<ObjectKey> {
    const held = this.#keys.get(value)
    if (held === undefined) return []
    return typeof held === 'string' ? [held] : held
  }

  /** Every value with at least one key. */
  values(): Iterable<string> {
    return this.#keys.keys()
  }

  #add(value: string, key: ObjectKey): void {
    const held = this.#keys.get(value)
    if (held === undefined || held === key) this.#keys.set(value, key)
    else if (typeof held === 'string') this.#keys.set(value, new Set([held, key]))
    else held.add(key)
  }

  #remove(value: string, key: ObjectKey): void {
    const held = this.#keys.get(value)
    if (held === key) this.#keys.delete(value)
    else if (typeof held === 'object' && held.delete(key) && held.size === 0) this.#keys.delete(value)
  }

  #values(object: T, isNew: boolean): readonly string[] {
    try {
      const values = this.#valuesOf(object)
      if (values === undefined) return none
      return typeof values === 'string' ? [values] : values
    } catch (error) {
      if (isNew) this.#onThrow(error, object)
      return none
    }
  }
}

const none: readonly string[] = []
