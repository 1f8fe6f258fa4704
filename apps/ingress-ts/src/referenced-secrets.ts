// The Secrets that something refers to, and no others. A Secret is read by its name when a translation first asks for it
// and again when it changes. Changes are noticed by a watch of metadata alone; where even that is forbidden, each Secret is
// watched by its name, which RBAC can allow one by one (`resourceNames`).

import { type Cluster, createInformer, type Informer, resourcePath, type WatchError } from '@kubewire/informer'
import { Secrets } from '@kubewire/informer/resources'
import { type KubeObject, type ObjectCollection, type ObjectKey, objectKey, type Secret } from '@kubewire/kube-model'
import { type Observable, Subject } from 'rxjs'

/** What is watched, and where. */
export interface ReferencedSecretsOptions {
  readonly cluster: Cluster
  /** One namespace instead of all. */
  readonly namespace: string | undefined
  readonly onError: (error: WatchError) => void
}

/** Secrets by reference: to ask for one is to refer to it. */
export interface ReferencedSecrets {
  readonly collection: ObjectCollection<Secret>
  /** Emits when one that was asked for has another content, and when one changed that concerns nobody. */
  readonly changes$: Observable<'content' | 'elsewhere'>
  /**
   * Waits for what was asked for the first time since the last call.
   *
   * @returns whether there was something to wait for, so that whoever asked should ask again
   */
  settle(): Promise<boolean>
  /** Says that everything still referred to was asked for; what was not for some time is forgotten. */
  sweep(): void
  /** Version of the resource that the contents reflect. */
  seenVersion(): string
  synced(): Promise<void>
  close(): Promise<void>
}

interface Entry {
  readonly namespace: string
  readonly name: string
  secret: Secret | undefined
  /** The first reading, until it has ended. */
  first: Promise<void> | undefined
  /** Number of the reading under way that counts. */
  reading: number
  /** `settle` calls without anybody having asked. */
  idle: number
  watch: Informer<Secret> | undefined
}

const secretsOf = (namespace: string | undefined, name?: string): string =>
  resourcePath(Secrets, { ...(namespace === undefined ? {} : { namespace }), ...(name === undefined ? {} : { name }) })

// A first reading that takes longer is not waited for: the rest of the cluster goes on changing.
const settleLimitMs = 5000
const mostRetryMs = 30_000
/** Full translations that may pass without a question. */
const mostIdle = 3

/** Starts the watch of metadata. */
export function createReferencedSecrets(options: ReferencedSecretsOptions): ReferencedSecrets {
  const { cluster, namespace } = options
  const entries = new Map<ObjectKey, Entry>()
  const changes = new Subject<'content' | 'elsewhere'>()
  const timers = new Set<NodeJS.Timeout>()
  let isByName = false
  let isClosed = false
  let readings = 0
  let settledVersion = ''

  const metadata = createInformer(
    cluster.source<KubeObject>(Secrets as never, {
      ...(namespace === undefined ? {} : { namespace }),
      metadataOnly: true,
      fieldSelector: 'type!=helm.sh/release.v1',
    }),
  )
  let leaveList = (): void => {}
  const left = new Promise<void>((resolve) => {
    leaveList = resolve
  })
  metadata.errors$.subscribe((error) => {
    options.onError(error)
    if (error.status?.code !== 403 || isByName || isClosed) return
    isByName = true
    void metadata.close()
    for (const entry of entries.values()) watchOne(entry)
    leaveList()
  })
  metadata.events$.subscribe(({ object }) => {
    const entry = entries.get(objectKey(object.metadata?.namespace, object.metadata?.name ?? ''))
    const { resourceVersion } = object.metadata ?? {}
    const isGone = entry !== undefined && metadata.store.get(entry.name, entry.namespace) === undefined
    if (entry !== undefined && (isGone || entry.secret?.metadata?.resourceVersion !== resourceVersion)) {
      void read(entry, 0)
    } else if (metadata.hasSynced) changes.next('elsewhere')
  })
  metadata.start()

  const accept = (entry: Entry, secret: Secret | undefined): void => {
    const isNew = entry.secret?.metadata?.resourceVersion !== secret?.metadata?.resourceVersion
    entry.secret = secret
    changes.next(isNew ? 'content' : 'elsewhere')
  }
  const read = async (entry: Entry, failures: number): Promise<void> => {
    const reading = ++entry.reading
    readings++
    try {
      const secret = await cluster.request<Secret>({ method: 'GET', path: secretsOf(entry.namespace, entry.name) })
      if (reading === entry.reading) accept(entry, secret)
    } catch (error) {
      const code = (error as WatchError).status?.code
      if (code === 404 && reading === entry.reading) accept(entry, undefined)
      else if (!isClosed && code !== 404) {
        options.onError(error as WatchError)
        retry(entry, failures)
      }
    } finally {
      readings--
    }
  }
  const retry = (entry: Entry, failures: number): void => {
    const timer = setTimeout(
      () => {
        timers.delete(timer)
        if (entries.get(objectKey(entry.namespace, entry.name)) === entry) void read(entry, failures + 1)
      },
      Math.min(1000 * 2 ** failures, mostRetryMs),
    )
    timers.add(timer)
  }
  const watchOne = (entry: Entry): void => {
    const watch = createInformer(
      cluster.source(Secrets, { namespace: entry.namespace, fieldSelector: `metadata.name=${entry.name}` }),
    )
    entry.watch = watch
    watch.errors$.subscribe(options.onError)
    watch.changes$.subscribe(() => accept(entry, watch.store.get(entry.name, entry.namespace)))
    watch.start()
  }
  const open = (name: string, namespaceOfIt: string): Entry => {
    const entry: Entry = {
      ...{ namespace: namespaceOfIt, name, secret: undefined, first: undefined },
      ...{ reading: 0, idle: 0, watch: undefined },
    }
    entries.set(objectKey(namespaceOfIt, name), entry)
    if (isByName) watchOne(entry)
    entry.first = read(entry, 0).finally(() => {
      entry.first = undefined
    })
    return entry
  }
  const isWatched = (asked: string): boolean => namespace === undefined || asked === namespace
  return {
    collection: {
      get size() {
        return entries.size
      },
      get: (name, asked = 'default') => {
        if (name === '' || !isWatched(asked)) return undefined
        const entry = entries.get(objectKey(asked, name)) ?? open(name, asked)
        entry.idle = 0
        return entry.secret
      },
      *[Symbol.iterator]() {
        for (const { secret } of entries.values()) if (secret !== undefined) yield secret
      },
    },
    changes$: changes.asObservable(),
    settle: async () => {
      const first = [...entries.values()].flatMap((entry) => entry.first ?? [])
      if (first.length === 0) return false
      let limit: NodeJS.Timeout | undefined
      const late = new Promise((resolve) => {
        limit = setTimeout(resolve, settleLimitMs)
      })
      await Promise.race([Promise.all(first), late])
      clearTimeout(limit)
      return true
    },
    sweep: () => {
      for (const [key, entry] of entries) {
        if (++entry.idle <= mostIdle) continue
        entries.delete(key)
        void entry.watch?.close()
      }
    },
    seenVersion: () => {
      if (readings === 0) settledVersion = metadata.store.resourceVersion ?? ''
      return settledVersion
    },
    synced: () => (isByName ? left : Promise.race([left, metadata.synced()])),
    close: async () => {
      isClosed = true
      for (const timer of timers) clearTimeout(timer)
      await Promise.all([metadata.close(), ...[...entries.values()].map(({ watch }) => watch?.close())])
      changes.complete()
    },
  }
}
