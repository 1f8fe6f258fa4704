// A server with ConfigMaps, a proxy that breaks things in front of it, and an informer behind both: what the fault tests
// do to it, and how they tell that nothing was lost or invented.

import type { Cluster } from '@kubewire/informer'
import {
  createInformer,
  exponentialBackoff,
  type Informer,
  type InformerEvent,
  type WatchError,
  type WatchResourceOptions,
} from '@kubewire/informer'
import { connectKubeconfig } from '@kubewire/informer/kubeconfig'
import { ConfigMaps } from '@kubewire/informer/resources'
import { type ConfigMap, deepEqual } from '@kubewire/kube-model'
import { createFaultProxy, type FaultProxy } from './fault-proxy.ts'

/** The server's side: writes and the truth. */
export interface ServerUnderFaults {
  readonly url: string
  readonly token?: string
  write(name: string, value: string): Promise<void>
  remove(name: string): Promise<void>
  list(): Promise<readonly ConfigMap[]>
}

/** Everything a fault test has in hands. */
export interface World {
  readonly server: ServerUnderFaults
  readonly proxy: FaultProxy
  readonly informer: Informer<ConfigMap>
  readonly errors: WatchError[]
  readonly events: readonly InformerEvent<ConfigMap>[]
  /** Replaces the server, as a restart at another place would. */
  moveTo(server: ServerUnderFaults): void
  /** Waits until store and server are equal and stay so; throws with the difference after `limitMs`. */
  settled(limitMs?: number): Promise<void>
  /** Throws when the events told so far do not add up to the store. */
  checkEvents(): void
  /** Closes the informer and everything else; throws when the informer left a connection. */
  close(): Promise<void>
}

export const namespace = 'faults'

/** An informer with short times, behind a proxy in front of `server` unless it is to be `isDirect`. */
export async function createWorld(
  server: ServerUnderFaults,
  { isDirect = false, ...options }: WatchResourceOptions & { readonly isDirect?: boolean } = {},
): Promise<World> {
  const proxy = await createFaultProxy(server.url)
  const cluster: Cluster = await connectKubeconfig({
    text: kubeconfig(isDirect ? server.url : proxy.url, server.token),
  })
  const informer = createInformer(cluster.source(ConfigMaps, { namespace }), {
    backoff: exponentialBackoff({ initialMs: 10, maxMs: 60, jitter: 0.5 }),
    idleTimeoutMs: 400,
    connectTimeoutMs: 300,
    ...options,
  })
  const errors: WatchError[] = []
  const events: InformerEvent<ConfigMap>[] = []
  informer.errors$.subscribe((error) => errors.push(error))
  informer.changes$.subscribe((event) => events.push(event))
  informer.start()
  const world: World = {
    get server() {
      return current
    },
    proxy,
    informer,
    errors,
    events,
    moveTo: (next) => {
      current = next
      proxy.upstream = next.url
    },
    settled: async (limitMs = 5000) => {
      const untilMs = performance.now() + limitMs
      for (;;) {
        const difference = differenceOf(informer, await current.list())
        if (informer.hasSynced && difference === undefined) return
        if (performance.now() > untilMs) {
          const last = `${proxy.requests.slice(-4).join(' | ')}; ${errors
            .slice(-3)
            .map((e) => `${e.code} ${e.message}`)
            .join(' | ')}`
          throw new Error(`not equal after ${limitMs} ms: ${difference ?? 'not synced'}; ${last}`)
        }
        await pause(3)
      }
    },
    checkEvents: () => checkEvents(events, informer),
    close: async () => {
      await informer.close()
      await cluster.close()
      // The other end hears of a closed socket a moment later.
      const untilMs = performance.now() + 2000
      while (proxy.openSockets > 0 && performance.now() < untilMs) await pause(5)
      const left = proxy.openSockets
      await proxy.close()
      if (left > 0) throw new Error(`the informer left ${left} connections open`)
    },
  }
  let current = server
  return world
}

/** Real time passes; these tests are about real sockets. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function kubeconfig(server: string, token: string | undefined): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'faults',
    clusters: [{ name: 'c', cluster: { server } }],
    users: [{ name: 'u', user: token ? { token } : {} }],
    contexts: [{ name: 'faults', context: { cluster: 'c', user: 'u' } }],
  })
}

function differenceOf(informer: Informer<ConfigMap>, wanted: readonly ConfigMap[]): string | undefined {
  const { store } = informer
  const names = new Set(wanted.map(({ metadata }) => metadata?.name ?? ''))
  const extra = [...store].find(({ metadata }) => !names.has(metadata?.name ?? ''))
  if (extra) return `${extra.metadata?.name} is gone from the server`
  for (const object of wanted) {
    const held = store.get(object.metadata?.name ?? '', namespace)
    if (!held) return `${object.metadata?.name} is missing`
    const same =
      held.metadata?.uid === object.metadata?.uid &&
      held.metadata?.resourceVersion === object.metadata?.resourceVersion &&
      deepEqual(held.data, object.data)
    if (!same)
      return `${object.metadata?.name} is at ${held.metadata?.resourceVersion}, the server at ${object.metadata?.resourceVersion}`
  }
  return undefined
}

// Replays what was told: an object is added once, updated from what it was, deleted once; the result is the store.
function checkEvents(events: readonly InformerEvent<ConfigMap>[], informer: Informer<ConfigMap>): void {
  const held = new Map<string, ConfigMap>()
  for (const [at, event] of events.entries()) {
    const before = held.get(event.key)
    const what = `event ${at} (${event.type} ${event.key} ${event.object.metadata?.resourceVersion})`
    if (event.type === 'added' && before) throw new Error(`${what}: it was there`)
    if (event.type !== 'added' && !before) throw new Error(`${what}: it was not there`)
    if (event.type === 'updated' && event.previous !== before)
      throw new Error(`${what}: previous is not what was told before`)
    if (event.type === 'updated' && deepEqual(event.previous, event.object)) throw new Error(`${what}: nothing changed`)
    if (event.type === 'deleted') held.delete(event.key)
    else held.set(event.key, event.object)
  }
  for (const [key, object] of held)
    if (informer.store.getByKey(key as never) !== object) throw new Error(`${key} was told and is not stored`)
  if (held.size !== informer.store.size) throw new Error(`${informer.store.size} stored, ${held.size} told`)
}
