// Kubernetes Events about what we do with objects. Best effort: bounded, and the same news is told once in a while only.

import type { Log } from '@kubewire/daemon-kit'
import { type Cluster, resourcePath } from '@kubewire/informer'
import { Events } from '@kubewire/informer/resources'
import type { KubeObject } from '@kubewire/kube-model'

/** One piece of news about an object. */
export interface News {
  readonly object: KubeObject
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

/** Sends events. */
export interface EventWriter {
  tell(news: News): void
}

const waitingLimit = 1000
const silenceMs = 10 * 60 * 1000

/** Creates a writer; failures are logged at debug level only. */
export function createEventWriter(cluster: Cluster, host: string, log: Log): EventWriter {
  const told = new Map<string, number>()
  const waiting: News[] = []
  let isSending = false
  const drain = async (): Promise<void> => {
    isSending = true
    for (let news = waiting.shift(); news !== undefined; news = waiting.shift()) {
      await send(cluster, news, host).catch((error: unknown) => log.debug('event', { error: String(error) }))
    }
    isSending = false
  }
  return {
    tell: (news) => {
      const { metadata } = news.object
      const key = [metadata?.uid, metadata?.resourceVersion, news.reason, news.message].join('\n')
      const nowMs = Date.now()
      const isRepeated = nowMs - (told.get(key) ?? 0) < silenceMs
      if (isRepeated || waiting.length >= waitingLimit) return
      if (told.size > 10_000) told.clear()
      told.set(key, nowMs)
      waiting.push(news)
      if (!isSending) void drain()
    },
  }
}

async function send(cluster: Cluster, { object, type, reason, message }: News, host: string): Promise<void> {
  const { name = '', namespace = 'default', uid, resourceVersion } = object.metadata ?? {}
  const now = new Date()
  const stamp = now.toISOString().replace(/\.\d+/, '')
  await cluster.request({
    method: 'POST',
    path: resourcePath(Events, { namespace }),
    body: {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: {
        name: `${name.slice(0, 200)}.${now.getTime().toString(16)}${Math.random().toString(16).slice(2, 8)}`,
        namespace,
      },
      involvedObject: { apiVersion: object.apiVersion, kind: object.kind, namespace, name, uid, resourceVersion },
      type,
      reason,
      message: message.slice(0, 1024),
      source: { component: 'nginx-ingress-controller', host },
      firstTimestamp: stamp,
      lastTimestamp: stamp,
      count: 1,
    },
  })
}
