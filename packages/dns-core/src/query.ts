// One question with the facts of its transport. Readonly: a plugin that asks something else makes a new value.

import { type Name, nameBytes } from './name.ts'

/** How a question came in. */
export type Transport = 'udp' | 'tcp' | 'tls' | 'https'

/** An EDNS option (RFC 6891 §6.1.2). */
export interface EdnsOption {
  readonly code: number
  readonly data: Uint8Array
}

/** What the OPT record of a message says. */
export interface Edns {
  readonly udpSize: number
  readonly version: number
  readonly dnssecOk: boolean
  readonly options: readonly EdnsOption[]
}

/** Address and port of one side; IPv6 without brackets or zone. */
export interface PeerAddress {
  readonly address: string
  readonly port: number
}

/** One question as the chain sees it. */
export interface Query {
  readonly id: number
  readonly opcode: number
  readonly recursionDesired: boolean
  readonly checkingDisabled: boolean
  readonly authenticData: boolean
  readonly name: Name
  readonly type: number
  readonly class: number
  readonly edns?: Edns
  readonly transport: Transport
  readonly client: PeerAddress
  readonly local: PeerAddress
  /** Bytes of the message without compression and without what follows its last record, for logs and metrics. */
  readonly sizeBytes: number
  /** The serial of an IXFR question (RFC 1995 §3). */
  readonly ixfrSerial?: number
  /** Of an internal question: how many aliases led to it that may run in a circle. */
  readonly aliasSteps?: number
}

/** A question with defaults for everything but name and type: a UDP client on the documentation network. */
export function queryOf(name: Name, type: number, extra: Partial<Query> = {}): Query {
  return {
    id: 0,
    opcode: 0,
    recursionDesired: true,
    checkingDisabled: false,
    authenticData: false,
    name,
    type,
    class: 1,
    transport: 'udp',
    client: { address: '192.0.2.1', port: 53000 },
    local: { address: '192.0.2.53', port: 53 },
    sizeBytes: 0,
    ...extra,
  }
}

/** The same question for another name or type; owner of internal lookups. */
export function askingFor(query: Query, name: Name, type: number = query.type): Query {
  return { ...query, name, type, sizeBytes: query.sizeBytes + nameBytes(name) - nameBytes(query.name) }
}

/** The same question for the target of an alias that may lead back to it. */
export function followingAlias(query: Query, name: Name): Query {
  return { ...askingFor(query, name), aliasSteps: (query.aliasSteps ?? 0) + 1 }
}

/** Whether so many aliases led to a question that it must be a circle (CoreDNS dnsserver.LoopKey). */
export function hasTooManyAliases(query: Query): boolean {
  return (query.aliasSteps ?? 0) > 8
}

/** Bytes of the question and of its OPT record, with the header: all of most messages. */
export function questionBytes({ name, edns }: Pick<Query, 'name' | 'edns'>): number {
  const opt = edns === undefined ? 0 : edns.options.reduce((sum, { data }) => sum + 4 + data.length, 11)
  return 12 + nameBytes(name) + 4 + opt
}

/**
 * Largest reply in bytes that the asker takes: 65535 over streams, the advertised size over UDP but never below 512
 * (RFC 6891 §6.2.3).
 */
export function replyLimit(query: Query): number {
  if (query.transport !== 'udp') return 65535
  return Math.max(512, query.edns?.udpSize ?? 512)
}
