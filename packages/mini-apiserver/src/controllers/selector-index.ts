// Which Services select a pod, without asking every Service of the namespace: each waits under one of its labels, and a
// pod asks under those that it has.

import { type ApiObject, keyOfObject } from '../api-object.ts'
import { objectAt } from '../json.ts'
import { createLabelIndex } from './label-index.ts'
import { isSelecting } from './plan-slices.ts'

/** Services by their selectors. */
export interface SelectorIndex {
  /** Records a Service in place of its former state. */
  replace(before: ApiObject | undefined, after: ApiObject | undefined): void
  /** Keys of the Services that select the pod. */
  selecting(pod: ApiObject): string[]
  clear(): void
}

/** An empty index. */
export function createSelectorIndex(): SelectorIndex {
  const index = createLabelIndex()
  const entryOf = (service: ApiObject | undefined): ApiObject | undefined => {
    const first = service && isSelecting(service) ? Object.entries(serviceSelector(service))[0] : undefined
    return service && first && { ...service, metadata: { ...service.metadata, labels: Object.fromEntries([first]) } }
  }
  return {
    replace: (before, after) => index.replace(entryOf(before), entryOf(after)),
    selecting: ({ metadata: { namespace = '', labels = {} } }) =>
      Object.entries(labels)
        .flatMap(([label, value]) => index.matching(namespace, { [label]: value }))
        .filter((service) => Object.entries(serviceSelector(service)).every(([key, value]) => labels[key] === value))
        .map(keyOfObject),
    clear: index.clear,
  }
}

/** The labels that a pod of the Service must have. */
export function serviceSelector(service: ApiObject): { readonly [key: string]: string } {
  return objectAt(objectAt(service, 'spec'), 'selector') as { readonly [key: string]: string }
}
