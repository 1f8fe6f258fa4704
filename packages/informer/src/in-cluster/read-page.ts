// The body of a list → a page whose items come one by one.

import type { KubeObject } from '@kubewire/kube-model'
import { projectObject, type Resource } from '../resource.ts'
import type { ListPage, Scope } from '../source.ts'
import { WatchError } from '../watch-error.ts'
import { createListSplitter } from './split-list.ts'
import { badJson, transformError } from './unusable.ts'

interface Envelope {
  readonly kind?: string
  readonly metadata?: { resourceVersion?: string; continue?: string; remainingItemCount?: number }
}

/** One page of a list; items are parsed and projected as they arrive. */
export function readPage<T extends KubeObject>(
  body: AsyncIterable<Buffer>,
  resource: Resource<T>,
  scope: Scope,
): ListPage<T> {
  const problems: WatchError[] = []
  const page: Mutable<ListPage<T>> = { items: readItems(), resourceVersion: '', problems }
  async function* readItems(): AsyncGenerator<T> {
    const splitter = createListSplitter({ keepsManagedFields: scope.managedFields === true })
    try {
      for await (const chunk of body) {
        for (const raw of splitter.push(chunk)) {
          const object = usableItem(resource, raw as KubeObject, problems)
          if (object !== undefined) yield object
        }
      }
      const { items, envelope } = splitter.end()
      for (const raw of items) {
        const object = usableItem(resource, raw as KubeObject, problems)
        if (object !== undefined) yield object
      }
      const { kind, metadata = {} } = envelope as Envelope
      // A Table or a Status has no items, and would empty the store.
      const found = String(kind ?? 'List')
      if (!found.endsWith('List')) throw new TypeError(`a ${found.slice(0, 80)} is no list`)
      page.resourceVersion = metadata.resourceVersion ?? ''
      if (metadata.continue) page.continue = metadata.continue
      if (metadata.remainingItemCount !== undefined) page.remainingItemCount = metadata.remainingItemCount
    } catch (thrown) {
      throw badJson(thrown, 'list')
    }
  }
  return page
}

type Mutable<P> = { -readonly [K in keyof P]: P[K] }

function usableItem<T extends KubeObject>(
  resource: Resource<T>,
  raw: KubeObject,
  problems: WatchError[],
): T | undefined {
  if (!raw?.metadata?.name) {
    problems.push(
      new WatchError({ code: 'INF_BAD_LIST', step: 'list', message: 'expected items with a name, got one without' }),
    )
    return undefined
  }
  try {
    return projectObject(resource, raw)
  } catch (cause) {
    problems.push(transformError(raw, cause))
    return undefined
  }
}
