// Which Services select a pod, without asking every Service of the cluster.

import { matchesSelector, type Selector, selectorOf } from '@kubewire/kube-model'
import type { ApiObject } from '../api-object.ts'
import { objectAt } from '../json.ts'
import { isSelecting } from './plan-slices.ts'

/** Selectors of Services by namespace. */
export interface SelectorIndex {
  /** Records a Service, or forgets it. */
  set(key: string, service: ApiObject | undefined): void
  /** Keys of the Services that select the pod. */
  selecting(pod: ApiObject): string[]
}

/** An empty index. */
export function createSelectorIndex(): SelectorIndex {
  const namespaces = new Map<string, Map<string, Selector>>()
  return {
    set: (key, service) => {
      const namespace = key.slice(0, key.indexOf('/'))
      const selectors = namespaces.get(namespace) ?? new Map<string, Selector>()
      namespaces.set(namespace, selectors)
      const selector = service && isSelecting(service) ? selectorOfService(service) : undefined
      if (selector) selectors.set(key, selector)
      else selectors.delete(key)
    },
    selecting: ({ metadata }) => {
      const selectors = namespaces.get(metadata.namespace ?? '')
      if (!selectors) return []
      return [...selectors].filter(([, selector]) => matchesSelector(selector, metadata.labels)).map(([key]) => key)
    },
  }
}

function selectorOfService(service: ApiObject): Selector | undefined {
  const labels = objectAt(objectAt(service, 'spec'), 'selector') as { [key: string]: string }
  return selectorOf({ matchLabels: labels })
}
