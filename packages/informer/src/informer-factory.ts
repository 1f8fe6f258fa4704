// Shared informers of one cluster, recognised by resource identity and scope (client-go `SharedInformerFactory`).

import type { KubeObject } from '@kubewire/kube-model'
import { type Observable, Subject } from 'rxjs'
import { createInformer, type Informer, type InformerOptions } from './informer.ts'
import type { Resource } from './resource.ts'
import type { Cluster, Scope } from './source.ts'
import type { WatchError } from './watch-error.ts'
import type { WatchResourceOptions } from './watch-options.ts'

/** Hands out shared informers and starts and closes them together. */
export interface InformerFactory extends AsyncDisposable {
  /**
   * The informer of this resource and scope: the same one for the same `Resource` value and an equal scope. Indexers of
   * all callers are merged; two different functions under one name throw. Other options count for the first caller.
   */
  informer<T extends KubeObject, Index extends string = never>(
    resource: Resource<T>,
    options?: InformerOptions<T, Index> & Scope,
  ): Informer<T, Index>
  /** Starts what was handed out; call it again after handing out more. */
  start(options?: { readonly signal?: AbortSignal }): this
  /** Resolves when every informer has its first full state. */
  synced(options?: { readonly signal?: AbortSignal }): Promise<void>
  /** The errors of all informers. */
  readonly errors$: Observable<WatchError>
  /** Closes all informers; the cluster stays open. */
  close(): Promise<void>
}

/** A factory; `defaults` apply to every informer unless it says otherwise. */
export function createInformerFactory(cluster: Cluster, defaults: WatchResourceOptions = {}): InformerFactory {
  const byResource = new Map<Resource<never>, Map<string, Informer<never, never>>>()
  const errors = new Subject<WatchError>()
  const all = (): Informer<never, never>[] => [...byResource.values()].flatMap((scopes) => [...scopes.values()])
  const factory: InformerFactory = {
    informer: (resource, options = {}) => {
      const { namespace, labelSelector, fieldSelector, metadataOnly, managedFields, ...informerOptions } = options
      const scopes = byResource.get(resource as Resource<never>) ?? new Map<string, Informer<never, never>>()
      byResource.set(resource as Resource<never>, scopes)
      const scopeKey = JSON.stringify([
        namespace,
        labelSelector,
        fieldSelector,
        metadataOnly === true,
        managedFields === true,
      ])
      const known = scopes.get(scopeKey) as Informer<never, never> | undefined
      if (known !== undefined) {
        return known.addIndexers((options.indexers ?? {}) as never) as never
      }
      const scope: Scope = {
        ...(namespace === undefined ? {} : { namespace }),
        ...(labelSelector === undefined ? {} : { labelSelector }),
        ...(fieldSelector === undefined ? {} : { fieldSelector }),
        ...(metadataOnly === undefined ? {} : { metadataOnly }),
        ...(managedFields === undefined ? {} : { managedFields }),
      }
      const informer = createInformer(cluster.source(resource, scope), { ...defaults, ...informerOptions })
      // One that was closed on its own is not handed out again.
      informer.errors$.subscribe({ next: (error) => errors.next(error), complete: () => scopes.delete(scopeKey) })
      scopes.set(scopeKey, informer as unknown as Informer<never, never>)
      return informer
    },
    start: (options) => {
      for (const informer of all()) informer.start(options)
      return factory
    },
    synced: async (options) => {
      await Promise.all(all().map((informer) => informer.synced(options)))
    },
    errors$: errors.asObservable(),
    close: async () => {
      await Promise.all(all().map((informer) => informer.close()))
      errors.complete()
    },
    [Symbol.asyncDispose]: () => factory.close(),
  }
  return factory
}
