// The Secrets that something refers to, and no others. A Secret is read by its name when a translation first asks for it
// and again when it changes. Changes are noticed by a watch of metadata alone; where even that is forbidden, each Secret is
// watched by its name, which RBAC can allow one by one (`resourceNames`). Roles of ingress-nginx let a controller list
// Secrets and not get them: there each is listed by its name.

import { type Cluster, createInformer, type Informer, resourcePath, type WatchError } from '@kubewire/informer'
import { Secrets } from '@kubewire/informer/resources'
import { type KubeObject, type ObjectCollection, type ObjectKey, objectKey, type Secret } from '@kubewire/kube-model'
import { type Observable, Subject } from 'rxjs'
import { limitParallel } from './limit-parallel.ts'

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

// A first reading that takes longer is not waited for: the rest of the cluster goes on changing.
const settleLimitMs = 5000
const mostRetryMs = 30_000
/** Readings at a time: thousands at a start would take the API server's attention from everybody else. */
const mostParallel = 16
/** Full translations that may pass without a question. */
const mostIdle = 3

/** Starts the watch of metadata. */
export function createReferencedSecrets(options: ReferencedSecretsOptions): ReferencedSecrets {
  const reader = new SecretReader(options)
  reader.start()
  return {
    collection: {
      get size() {
        return reader.entries.size
      },
      get: (name, namespace = 'default') => reader.ask(name, namespace),
      *[Symbol.iterator]() {
        for (const { secret } of reader.entries.values()) if (secret !== undefined) yield secret
      },
    },
    changes$: reader.changes.asObservable(),
    settle: () => reader.settle(),
    sweep: () => reader.sweep(),
    seenVersion: () => reader.seenVersion(),
    synced: () => reader.synced(),
    close: () => reader.close(),
  }
}

/** Reads, reads again and forgets. */
class SecretReader {
  readonly entries = new Map<ObjectKey, Entry>()
  readonly changes = new Subject<'content' | 'elsewhere'>()
  readonly #options: ReferencedSecretsOptions
  readonly #metadata: Informer<KubeObject>
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #left: Promise<void>
  readonly #limit = limitParallel(mostParallel)
  /** Namespaces where Secrets may be listed and not got. */
  readonly #listed = new Set<string>()
  #leaveList = (): void => {}
  #isByName = false
  #isClosed = false
  #readings = 0
  #settledVersion = ''

  constructor(options: ReferencedSecretsOptions) {
    this.#options = options
    const scope = options.namespace === undefined ? {} : { namespace: options.namespace }
    this.#metadata = createInformer(
      options.cluster.source<KubeObject>(Secrets as never, {
        ...scope,
        metadataOnly: true,
        fieldSelector: 'type!=helm.sh/release.v1',
      }),
    )
    this.#left = new Promise<void>((resolve) => {
      this.#leaveList = resolve
    })
  }

  start(): void {
    this.#metadata.errors$.subscribe((error) => {
      this.#options.onError(error)
      if (error.status?.code === 403) this.#watchByName()
    })
    this.#metadata.events$.subscribe(({ object }) => this.#notice(object))
    this.#metadata.start()
  }

  ask(name: string, namespace: string): Secret | undefined {
    const isWatched = this.#options.namespace === undefined || namespace === this.#options.namespace
    if (name === '' || !isWatched) return undefined
    const entry = this.entries.get(objectKey(namespace, name)) ?? this.#open(name, namespace)
    entry.idle = 0
    return entry.secret
  }

  async settle(): Promise<boolean> {
    const first = [...this.entries.values()].flatMap((entry) => entry.first ?? [])
    if (first.length === 0) return false
    let limit: NodeJS.Timeout | undefined
    const late = new Promise((resolve) => {
      limit = setTimeout(resolve, settleLimitMs)
    })
    await Promise.race([Promise.all(first), late])
    clearTimeout(limit)
    return true
  }

  sweep(): void {
    for (const [key, entry] of this.entries) {
      if (++entry.idle <= mostIdle) continue
      this.entries.delete(key)
      void entry.watch?.close()
    }
  }

  seenVersion(): string {
    if (this.#readings === 0) this.#settledVersion = this.#metadata.store.resourceVersion ?? ''
    return this.#settledVersion
  }

  synced(): Promise<void> {
    return this.#isByName ? this.#left : Promise.race([this.#left, this.#metadata.synced()])
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const timer of this.#timers) clearTimeout(timer)
    await Promise.all([this.#metadata.close(), ...[...this.entries.values()].map(({ watch }) => watch?.close())])
    this.changes.complete()
  }

  #watchByName(): void {
    if (this.#isByName || this.#isClosed) return
    this.#isByName = true
    void this.#metadata.close()
    for (const entry of this.entries.values()) this.#watch(entry)
    this.#leaveList()
  }

  #notice({ metadata = {} }: KubeObject): void {
    const entry = this.entries.get(objectKey(metadata.namespace, metadata.name ?? ''))
    const isGone = entry !== undefined && this.#metadata.store.get(entry.name, entry.namespace) === undefined
    if (entry !== undefined && (isGone || entry.secret?.metadata?.resourceVersion !== metadata.resourceVersion)) {
      void this.#read(entry, 0)
    } else if (this.#metadata.hasSynced) this.changes.next('elsewhere')
  }

  #open(name: string, namespace: string): Entry {
    const entry: Entry = { namespace, name, secret: undefined, first: undefined, reading: 0, idle: 0, watch: undefined }
    this.entries.set(objectKey(namespace, name), entry)
    if (this.#isByName) this.#watch(entry)
    entry.first = this.#read(entry, 0).finally(() => {
      entry.first = undefined
    })
    return entry
  }

  #accept(entry: Entry, secret: Secret | undefined): void {
    const isNew = entry.secret?.metadata?.resourceVersion !== secret?.metadata?.resourceVersion
    entry.secret = secret
    this.changes.next(isNew ? 'content' : 'elsewhere')
  }

  async #read(entry: Entry, failures: number): Promise<void> {
    const { onError } = this.#options
    const reading = ++entry.reading
    this.#readings++
    try {
      const secret = await this.#limit(() => this.#fetch(entry))
      if (reading === entry.reading) this.#accept(entry, secret)
    } catch (error) {
      const isMissing = (error as WatchError).status?.code === 404
      if (isMissing && reading === entry.reading) this.#accept(entry, undefined)
      else if (!isMissing && !this.#isClosed) {
        onError(error as WatchError)
        this.#retry(entry, failures)
      }
    } finally {
      this.#readings--
    }
  }

  /** The Secret of an entry; `undefined` when a list does not hold it, rejects with a 404 when it is got by its name. */
  async #fetch({ namespace, name }: Entry): Promise<Secret | undefined> {
    const { cluster } = this.#options
    if (!this.#listed.has(namespace)) {
      try {
        return await cluster.request<Secret>({ method: 'GET', path: resourcePath(Secrets, { namespace, name }) })
      } catch (error) {
        if ((error as WatchError).status?.code !== 403) throw error
      }
    }
    const list = await cluster.request<{ readonly items?: readonly Secret[] }>({
      method: 'GET',
      path: resourcePath(Secrets, { namespace }),
      query: { fieldSelector: `metadata.name=${name}` },
    })
    this.#listed.add(namespace)
    return list.items?.find((one) => one.metadata?.name === name)
  }

  #retry(entry: Entry, failures: number): void {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer)
        if (this.entries.get(objectKey(entry.namespace, entry.name)) === entry) void this.#read(entry, failures + 1)
      },
      Math.min(1000 * 2 ** failures, mostRetryMs),
    )
    this.#timers.add(timer)
  }

  #watch(entry: Entry): void {
    const scope = { namespace: entry.namespace, fieldSelector: `metadata.name=${entry.name}` }
    const watch = createInformer(this.#options.cluster.source(Secrets, scope))
    entry.watch = watch
    watch.errors$.subscribe(this.#options.onError)
    watch.changes$.subscribe(() => this.#accept(entry, watch.store.get(entry.name, entry.namespace)))
    watch.start()
  }
}
