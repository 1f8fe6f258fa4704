// What a plugin is: a declaration (name, directives, documentation), a reader of its configuration, and an instance
// that answers. Everything a plugin wants from the world comes through `Ports`.

import type { BlockFacts, Directive, DirectiveToken } from './corefile/directive.ts'
import type { WatchRequest } from './kube/cluster-view.ts'
import type { ZoneIndex } from './kube/zone-index.ts'
import type { ZoneOptions } from './kube/zone-options.ts'
import type { Name } from './name.ts'
import type { Eventually, Outcome } from './outcome.ts'
import type { Query } from './query.ts'
import type { DnsRecord } from './record.ts'
import type { Reply } from './reply.ts'

/** Numbers of arguments that a directive or property takes. */
export interface Arity {
  readonly min: number
  readonly max: number
}

/** One property inside the block of a directive; the documentation pages are made from this. */
export interface PropertySpec extends Arity {
  readonly syntax: string
  readonly summary: string
  /** COMPAT: words behind its arguments are read as the next property, and so refused as an unknown one. */
  readonly readsOn?: boolean
}

/** What `configure` reads. Problems are collected; the value is then never used. */
export interface ConfigureInput {
  /** All directives of this name in the block, in file order, already checked against the schema. */
  readonly directives: readonly Directive[]
  readonly block: BlockFacts
  /** Reports a problem at a token: `plugin/NAME: FILE:LINE - Error during parsing: TEXT`. */
  fail(text: string, at: DirectiveToken): void
  /** Reports a problem without a place: `plugin/NAME: TEXT`. */
  failPlain(text: string): void
}

/** A plugin's declaration. `C` is its configuration, made by `configure` and handed to `create`. */
export interface PluginDefinition<C> {
  readonly name: string
  readonly summary: string
  /** Arguments as documentation shows them: `[ZONES...]`. */
  readonly syntax: string
  readonly args: Arity
  /** Properties of the block; `undefined` where lines are no properties (hosts, acl, rewrite). */
  readonly properties: { readonly [name: string]: PropertySpec } | undefined
  /** Whether the plugin checks its lines itself, with messages of its own. */
  readonly checksItself?: boolean
  /** COMPAT: whether the problems that `configure` reports are printed without their place. */
  readonly hasPlainProblems?: boolean
  /** What an unknown property is called, `%` for the word; default `unknown property '%'`. */
  readonly unknownProperty?: string
  /** The directive has no block at all, not even an empty one. */
  readonly takesNoBlock?: boolean
  /** Used twice in a block it is refused. */
  readonly isOnce?: boolean
  configure(input: ConfigureInput): C
  create(config: C, ports: Ports, block: BlockFacts): Plugin
}

/** A running plugin. Everything is optional: some plugins only listen, some only report readiness. */
export interface Plugin {
  handle?(query: Query, context: Context): Eventually<Outcome>
  /** Why a server must not start with this plugin; read once after `create`. */
  readonly startError?: string | undefined
  /** Whether the `ready` endpoint may say yes; absent means always. */
  isReady?(): boolean
  /** The search path of a client for `autopath @NAME`; empty when the client is unknown. */
  searchPath?(query: Query): readonly Name[]
  /** Records of a zone for a transfer, SOA first and not repeated; `undefined` when the zone is not served here. */
  transfer?(zone: Name): readonly DnsRecord[] | undefined
  /** COMPAT: whether an incremental transfer to somebody with a later serial has nothing to send. */
  readonly takesLaterSerials?: boolean
  /** Labels for logs and rewrites, computed when read. */
  metadata?(query: Query, labels: MetadataLabels): void
  /** Whether the block of this plugin is meant for the query (the `view` plugin). */
  admits?(query: Query, labels: MetadataLabels): boolean
  /** Called once after all plugins of the block were made, with all of them in their order. */
  join?(plugins: readonly { readonly name: string; readonly plugin: Plugin }[]): void
  /**
   * Whether every answer of later plugins passes unchanged but for its order, so that ready answers may go around this
   * plugin. As a function: whether it is so for those of the kubernetes plugin in one of its zones.
   */
  readonly isTransparent?: boolean | ((zone: Name) => boolean)
  close?(): void
}

/** Metadata of one query: label → value, made on demand. */
export type MetadataLabels = Map<string, () => string>

/** What surrounds one call of a plugin. */
export interface Context {
  /** Asks the plugins behind this one. Never returns the outcome `next`. */
  next(query: Query): Eventually<Outcome>
  /** Whether a plugin behind this one answers questions. */
  readonly hasNext: boolean
  /** Asks the whole server again, from the choice of the block on; `undefined` when nobody replied. */
  lookup(query: Query): Eventually<Reply | undefined>
  readonly server: ServerFacts
  readonly metadata: MetadataLabels
  /**
   * Names the plugin that made the outcome; the chain fills it. The cache says whether the reply may be repeated,
   * `rewrite` what it made of the question, and of which failure it made the reply.
   */
  readonly answeredBy: { plugin: string; repeat?: Repeat; rewritten?: Query; error?: string }
}

/** Leave to give a reply again without asking any plugin. */
export interface Repeat {
  /**
   * The TTL of all records now, in seconds; counts as a hit. `undefined` when the plugins must be asked again, this time and
   * from now on.
   */
  take(): number | undefined
}

/** The listener and zone that labels of metrics name. */
export interface ServerFacts {
  /** `dns://:53` */
  readonly server: string
  readonly zone: Name
  readonly view: string
  /** Whether the block has the prometheus plugin; refusals before any block always count. */
  readonly isMeasured: boolean
  /** Set where answers of the kubernetes plugin may be repeated byte by byte. */
  readonly hot?: {
    readonly index: ZoneIndex
    readonly options: ZoneOptions
    readonly isShuffled: boolean
    /** Zones of the plugin for which it is so. */
    readonly zones: readonly Name[]
  }
  /** Set where replies of the cache reach the asker unchanged but for their order. */
  readonly cached?: { readonly isShuffled: boolean }
}

/** A reply of an upstream, or why there is none. */
export type ExchangeResult =
  | { readonly kind: 'reply'; readonly reply: Reply; readonly question?: { name: Name; type: number; class: number } }
  | { readonly kind: 'error'; readonly error: string; readonly isTimeout: boolean; readonly wasCached: boolean }

/** One upstream of the forward plugin. */
export interface Upstream {
  readonly transport: 'dns' | 'tls' | 'https'
  readonly address: string
  readonly port: number
  readonly serverName?: string
}

/** How one exchange with an upstream is to be done; times in milliseconds. */
export interface ExchangeOptions {
  readonly useTcp: boolean
  readonly timeoutMs: number
  readonly expireMs: number
  /** The age at which a connection is used no more; 0 or absent is never. */
  readonly maxAgeMs?: number
  readonly maxIdle: number
  readonly tls?: { readonly cert?: string; readonly key?: string; readonly ca?: string }
  readonly sourceAddress?: string
  readonly method?: 'GET' | 'POST'
}

/** Numbers that plugins report; names and labels stand in `metrics.ts`. */
export interface MetricsPort {
  add(name: string, labels: readonly string[], amount?: number): void
  /** One series to add to, for those who count often. */
  counter(name: string, labels: readonly string[]): { value: number }
  set(name: string, labels: readonly string[], value: number): void
  observe(name: string, labels: readonly string[], value: number): void
}

/** Everything a plugin may use from the world. */
export interface Ports {
  /** Milliseconds since the epoch. */
  nowMs(): number
  /** 0 ≤ x < 1 */
  random(): number
  log(level: 'debug' | 'info' | 'warning' | 'error', message: string): void
  readonly metrics: MetricsPort
  /** Calls back after a delay; the returned function cancels. */
  schedule(delayMs: number, callback: () => void): () => void
  /** Text of a file, or `undefined` when it cannot be read. */
  readFile(path: string): string | undefined
  /** Size and modification time of a file as one text, to notice changes; `undefined` when there is none. */
  fileStamp(path: string): string | undefined
  /** Paths of the files below a directory, relative to it. */
  listDirectory(path: string): readonly string[]
  /** Feeds the objects of a cluster into an index until closed. */
  watchCluster(request: WatchRequest, index: ZoneIndex): { close(): void }
  /** Addresses of a host name that was resolved before the plugins were made; empty when it has none. */
  hostAddresses(host: string): readonly string[]
  exchange(upstream: Upstream, query: Query, options: ExchangeOptions): Promise<ExchangeResult>
  /**
   * Sends a HINFO question for this name to the server itself, once a second until it is answered or 30 s are over.
   * The returned function stops it.
   */
  probeLoop(name: Name, answered: () => void): () => void
  /** Addresses of the server's interfaces without loopback. */
  localAddresses(): readonly string[]
  hostName(): string
  /** Told about every question that the server asked itself, for those who count questions. */
  askedItself?(
    query: Query,
    facts: ServerFacts,
    answer: { readonly reply?: Reply; readonly plugin: string },
    durationMs: number,
  ): void
  /** Ends the process with a message; only `loop` does that. */
  fatal(message: string): void
}

/** Declares a plugin; only gives the configuration its type. */
export function definePlugin<C>(definition: PluginDefinition<C>): PluginDefinition<C> {
  return definition
}

/** A definition whose configuration type does not matter to the reader. */
export type AnyPluginDefinition = PluginDefinition<unknown>
