// Remembers what was derived from an object for as long as the object lives. Objects of a snapshot never change in
// place, so what follows from one alone holds until it is replaced: of 5,000 Ingresses one change derives one again.

/** A function of one object and nothing else, computed once per object. */
export function oncePerObject<K extends object, V>(compute: (object: K) => V): (object: K) => V {
  const known = new WeakMap<K, { readonly value: V }>()
  return (object) => {
    const found = known.get(object)
    if (found !== undefined) return found.value
    const value = compute(object)
    known.set(object, { value })
    return value
  }
}

/** Whether two lists hold the same objects. */
export function isSameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at])
}
