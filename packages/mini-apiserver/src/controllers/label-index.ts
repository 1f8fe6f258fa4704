// Objects of a namespace by the labels they carry, so that a change costs what it concerns and not what is there.

import { type ApiObject, keyOfObject } from '../api-object.ts'

/** Objects by label. */
export interface LabelIndex {
  /** Records an object in place of its former state; either may be absent. */
  replace(before: ApiObject | undefined, after: ApiObject | undefined): void
  /** The objects that carry all of these labels, at least one, in key order. */
  matching(namespace: string, labels: { readonly [key: string]: string }): ApiObject[]
  clear(): void
}

/** An empty index. */
export function createLabelIndex(): LabelIndex {
  const byLabel = new Map<string, Map<string, ApiObject>>()
  return {
    replace: (before, after) => {
      if (before) {
        for (const place of placesOf(before)) {
          const objects = byLabel.get(place)
          objects?.delete(keyOfObject(before))
          if (objects?.size === 0) byLabel.delete(place)
        }
      }
      if (!after) return
      for (const place of placesOf(after)) {
        const objects = byLabel.get(place) ?? new Map<string, ApiObject>()
        byLabel.set(place, objects.set(keyOfObject(after), after))
      }
    },
    matching: (namespace, labels) => {
      const wanted = Object.entries(labels)
      const sets = wanted.map(([label, value]) => byLabel.get(placeOf(namespace, label, value)))
      let smallest = sets[0]
      for (const set of sets) {
        if (!set || !smallest) return []
        if (set.size < smallest.size) smallest = set
      }
      const found = [...(smallest ?? [])].filter(([, { metadata }]) =>
        wanted.every(([label, value]) => metadata.labels?.[label] === value),
      )
      return found.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object)
    },
    clear: () => byLabel.clear(),
  }
}

function placesOf({ metadata: { namespace = '', labels = {} } }: ApiObject): string[] {
  return Object.entries(labels).map(([label, value]) => placeOf(namespace, label, value))
}

/** One text for namespace, label and value; none of them may have a line break. */
function placeOf(namespace: string, label: string, value: string): string {
  return `${namespace}\n${label}\n${value}`
}
