// Sockets of a server, kept over reloads: a listener that stays only gets its new chains.

import type { Log } from '@kubewire/daemon-kit'
import {
  type DnsServer,
  HotAnswers,
  type HttpsConfig,
  type Listener,
  type TimeoutsConfig,
  type TlsConfig,
} from '@kubewire/dns-core'
import type { Answering } from './answer-bytes.ts'
import { bindAddresses } from './bind-addresses.ts'
import type { CountRequest } from './metrics/count-requests.ts'
import type { MetricStore } from './metrics/metric-store.ts'
import { boundsOf } from './streams/listen-bounded.ts'
import { listenHttps } from './streams/listen-https.ts'
import { listenTcp, type StreamOptions, streamBounds } from './streams/listen-tcp.ts'
import { type ListeningWays, listenUdp, type OpenSocket } from './udp/listen-udp.ts'

/** Every open socket by transport, address and port. */
export interface OpenListeners {
  /** Opens what is new, moves what stays to the new server, closes what is gone. Rejects with nothing changed. */
  switchTo(server: DnsServer): Promise<void>
  close(): Promise<void>
}

interface WantedSocket {
  readonly key: string
  readonly listener: Listener
  open(answering: Answering): Promise<OpenSocket>
}

/** Where listeners tell what happens to them. */
interface Reports {
  readonly metrics: MetricStore
  readonly log: Log
}

/** No sockets yet. */
export function createOpenListeners(
  ways: ListeningWays,
  count: CountRequest,
  { metrics, log }: Reports,
): OpenListeners {
  const open = new Map<string, OpenSocket>()
  return {
    async switchTo(server) {
      const wanted = server.listeners.flatMap((listener) => wantedSockets(listener, ways, { metrics, log }))
      const fresh: [string, OpenSocket][] = []
      try {
        for (const { key, listener, open: openOne } of wanted) {
          if (!open.has(key)) fresh.push([key, await openOne({ listener, hot: new HotAnswers(), count })])
        }
      } catch (error) {
        for (const [, socket] of fresh) await socket.close()
        throw error
      }
      for (const [key, socket] of fresh) open.set(key, socket)
      for (const { key, listener } of wanted) {
        const socket = open.get(key)
        if (socket === undefined) continue
        socket.answering.listener = listener
        socket.answering.hot = new HotAnswers()
      }
      const keys = new Set(wanted.map(({ key }) => key))
      for (const [key, socket] of [...open]) {
        if (keys.has(key)) continue
        open.delete(key)
        await socket.close()
      }
    },
    async close() {
      await Promise.all([...open.values()].map((socket) => socket.close()))
      open.clear()
    },
  }
}

function wantedSockets(listener: Listener, ways: ListeningWays, { metrics, log }: Reports): WantedSocket[] {
  const { scheme, port } = listener
  const timeouts = configOf<TimeoutsConfig>(listener, 'timeouts')
  const tls = configOf<TlsConfig>(listener, 'tls')
  const { maxConnections } = configOf<HttpsConfig>(listener, 'https') ?? {}
  const name = `${scheme}://:${port}`
  const streams: StreamOptions = {
    ...(timeouts === undefined ? {} : { timeouts }),
    onRefused: (reason) => metrics.add('kubewire_connections_refused_total', [name, reason]),
    onError: (error) => log.error(`Listener ${name} cannot take connections: ${error.message}`),
  }
  // COMPAT: without the tls plugin such a listener speaks in the clear, for a proxy that ends TLS before it.
  const secured: StreamOptions = tls === undefined ? streams : { ...streams, tls }
  const overHttp =
    maxConnections === undefined
      ? secured
      : { ...secured, bounds: maxConnections === 0 ? streamBounds : boundsOf(maxConnections) }
  const countStatus = (status: number): void => metrics.add('coredns_dns_https_responses_total', [name, String(status)])
  return bindAddresses(listener).flatMap((address): WantedSocket[] => {
    const key = `${scheme} ${address} ${port}`
    switch (scheme) {
      case 'tls':
        return [{ key, listener, open: (answering) => listenTcp(address, port, answering, secured) }]
      case 'https':
        return [{ key, listener, open: (answering) => listenHttps(address, port, answering, overHttp, countStatus) }]
      default:
        return [
          { key: `${key} udp`, listener, open: (answering) => listenUdp(ways, address, port, answering) },
          { key: `${key} tcp`, listener, open: (answering) => listenTcp(address, port, answering, streams) },
        ]
    }
  })
}

function configOf<C>(listener: Listener, name: string): C | undefined {
  for (const { plan } of listener.blocks) {
    const found = plan.plugins.find(({ definition }) => definition.name === name)
    if (found !== undefined) return found.config as C
  }
  return undefined
}
