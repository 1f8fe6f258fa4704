// DNS cases in this process: the Corefile becomes chains, the cluster a snapshot, the upstream port another listener.

import { type KubeObject, keyOf, snapshotOf } from '@kubewire/kube-model'
import { printCorefileProblem } from '../corefile/corefile-problem.ts'
import { serverPlans } from '../corefile/server-plans.ts'
import { type Answer, createDnsServer, type DnsServer, type Listener } from '../dns-server.ts'
import { HotAnswers } from '../hot/hot-answers.ts'
import type { WatchedKind, WatchRequest } from '../kube/cluster-view.ts'
import type { ZoneIndex } from '../kube/zone-index.ts'
import { applyObject, isWatched, plainPorts, watchedObjects } from '../plain-ports.ts'
import type { Ports } from '../plugin.ts'
import type { Query } from '../query.ts'
import { decodeMessage } from '../wire/decode-message.ts'
import { decodeQuery } from '../wire/decode-query.ts'
import { upstreamReply } from '../wire/upstream-reply.ts'
import { encodeReply } from '../wire/writer.ts'
import { type CaseServer, type CaseServerBench, questionBytes } from './case-server.ts'
import { readReply, type SeenReply } from './compare-reply.ts'
import { type DnsCase, type DnsCaseQuery, type DnsCaseStep, fillCorefile } from './dns-case.ts'

const ports = { port: 53, port2: 5353 }

/** A bench that runs everything in this process on a clock of its own. */
export function createLibraryBench(): CaseServerBench {
  return { start: async (scenario) => startLibrary(scenario), close: async () => {} }
}

interface Watching {
  readonly request: WatchRequest
  readonly index: ZoneIndex
}

function startLibrary(scenario: DnsCase): CaseServer {
  const objects = new Map<string, KubeObject>(scenario.cluster.map((object) => [idOf(object), object]))
  const watches: Watching[] = []
  const clock = { nowMs: 1_700_000_000_000 }
  const corefile = fillCorefile(scenario.corefile, { ...ports, kubeconfig: '/kubeconfig', dir: '/case' })
  const plans = serverPlans(corefile, {
    fileName: 'Corefile',
    root: '/case',
    defaultPort: 53,
    surroundings: { environment: (name) => scenario.env[name], files: { read: () => [] } },
  })
  if (plans.problems.length > 0) throw new Error(plans.problems.map(printCorefileProblem).join('\n'))
  const hot = new HotAnswers()
  let server: DnsServer | undefined
  const listenerAt = (port: number): Listener | undefined => server?.listeners.find((l) => l.port === port)
  const world: Ports = {
    ...plainPorts({
      localAddresses: scenario.serverAddresses,
      files: Object.fromEntries(Object.entries(scenario.files).map(([name, text]) => [`/case/${name}`, text])),
    }),
    nowMs: () => clock.nowMs,
    watchCluster: (request, index) => {
      watches.push({ request, index })
      if (!scenario.noApiServer) fillIndex(request, index, objects.values(), clock.nowMs)
      return { close: () => {} }
    },
    exchange: async (upstream, query) => exchangeInside(listenerAt(upstream.port), query),
  }
  server = createDnsServer(plans.value, world)
  return {
    ask: (query) => askListener(listenerAt(ports.port), hot, query),
    async change(step) {
      clock.nowMs += 3000
      for (const { kind, namespace, object, name } of changesOf(step, objects)) {
        for (const { request, index } of watches) {
          for (const watched of watchedKindsOf(kind)) {
            const isThere = object !== undefined && isWatched(request, watched, object)
            const change = isThere ? { namespace, name, object } : { namespace, name }
            applyObject(index, request, watched, change, clock.nowMs)
          }
        }
      }
    },
    close: async () => server?.close(),
  }
}

function fillIndex(request: WatchRequest, index: ZoneIndex, objects: Iterable<KubeObject>, nowMs: number): void {
  for (const [kind, object] of watchedObjects(snapshotOf(objects), request)) {
    const { namespace = '', name = '' } = object.metadata ?? {}
    index.apply({ kind, namespace, name, object }, nowMs)
  }
  index.markSynced()
}

interface ObjectChange {
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly object?: KubeObject
}

function* changesOf(step: DnsCaseStep, objects: Map<string, KubeObject>): Iterable<ObjectChange> {
  for (const { kind, namespace = '', name } of step.delete ?? []) {
    objects.delete(`${kind} ${namespace === '' ? name : `${namespace}/${name}`}`)
    yield { kind, namespace, name }
  }
  for (const object of step.apply ?? []) {
    objects.set(idOf(object), object)
    const { namespace = '', name = '' } = object.metadata ?? {}
    yield { kind: object.kind ?? '', namespace, name, object }
  }
}

function watchedKindsOf(kind: string): readonly WatchedKind[] {
  if (kind === 'EndpointSlice') return ['EndpointSlice', 'ImportedSlice']
  const known: readonly string[] = ['Service', 'Namespace', 'Pod', 'ServiceImport']
  return known.includes(kind) ? [kind as WatchedKind] : []
}

/** Asks, and once more when the answer can be repeated from its bytes: then the repeated one is what counts. */
async function askListener(
  listener: Listener | undefined,
  hot: HotAnswers,
  query: DnsCaseQuery,
): Promise<SeenReply | undefined> {
  const bytes = questionBytes(query, 4711)
  const client = { address: query.client ?? '127.0.0.1', port: 40000 }
  const local = { address: '127.0.0.1', port: ports.port }
  const transport = query.transport ?? 'udp'
  const decoded = decodeQuery(bytes, { transport, client, local })
  if (decoded.kind === 'ignore' || listener === undefined) return undefined
  if (decoded.kind === 'refuse') return readReply([decoded.bytes])
  const answer = await listener.answer(decoded.query)
  hot.learn(decoded.query, answer)
  const messages = encodeAnswer(decoded.query, answer)
  const out = new Uint8Array(65_535)
  const family = client.address.includes(':') ? 6 : 4
  const length = hot.answer(bytes, bytes.length, { isDatagram: transport === 'udp', family }, out)
  if (length > 0) return readReply([out.subarray(0, length)])
  return messages.length === 0 ? undefined : readReply(messages)
}

function encodeAnswer(query: Query, answer: Answer): Uint8Array[] {
  if (answer.kind === 'none') return []
  const replies = answer.kind === 'reply' ? [answer.reply] : answer.replies
  return replies.map((reply) => encodeReply(query, reply))
}

async function exchangeInside(listener: Listener | undefined, query: Query): ReturnType<Ports['exchange']> {
  if (listener === undefined) return { kind: 'error', error: 'connection refused', isTimeout: false, wasCached: false }
  const [bytes] = encodeAnswer(query, await listener.answer(query))
  const message = bytes && decodeMessage(bytes)
  const [question] = message?.questions ?? []
  if (message === undefined || question === undefined)
    return { kind: 'error', error: 'i/o timeout', isTimeout: true, wasCached: false }
  return { kind: 'reply', reply: upstreamReply(message), question }
}

function idOf(object: KubeObject): string {
  return `${object.kind} ${keyOf(object)}`
}
