// Plans → a running set of chains that answers questions. Still no sockets: a listener hands in questions with the
// facts of their transport and gets bytes or replies back.

import {
  answersQuestions,
  type Chain,
  type ChainContext,
  type ChainObserver,
  composeChain,
  type NamedPlugin,
} from './chain.ts'
import type { BlockKey } from './corefile/directive.ts'
import type { ServerPlan } from './corefile/server-plans.ts'
import { foldName, isUnder, type Name } from './name.ts'
import { type Eventually, failed, type Outcome, whenReady } from './outcome.ts'
import type { Context, MetadataLabels, Ports, Repeat, ServerFacts } from './plugin.ts'
import { isKubernetes } from './plugins/kubernetes.ts'
import type { Query } from './query.ts'
import { opcode, rcode, rrClass, rrType } from './record-types.ts'
import { emptyReply, failureReply, type Reply } from './reply.ts'
import { negotiateOpt } from './wire/edns.ts'
import { truncateReply } from './wire/writer.ts'

/** What is to be sent: one reply, several, or none. */
export type Answer =
  | {
      readonly kind: 'reply'
      readonly reply: Reply
      readonly facts: ServerFacts
      readonly plugin: string
      readonly repeat?: Repeat
    }
  | { readonly kind: 'stream'; readonly replies: readonly Reply[]; readonly facts: ServerFacts }
  | { readonly kind: 'none'; readonly facts: ServerFacts }

/** One block with its plugins. */
export interface RunningBlock {
  readonly plan: ServerPlan
  /** Name of the view plugin's view, or empty. */
  readonly view: string
  readonly plugins: readonly NamedPlugin[]
}

/** A server: every block of a Corefile, grouped by where it listens. */
export interface DnsServer {
  readonly blocks: readonly RunningBlock[]
  /** Listeners, one for each scheme, port and set of bind addresses. */
  readonly listeners: readonly Listener[]
  /** Whether every plugin that reports readiness is ready; names of those that are not. */
  notReady(): readonly string[]
  close(): void
}

/** The blocks that share one address and port. */
export interface Listener {
  readonly scheme: BlockKey['scheme']
  readonly port: number
  /** Empty means all addresses. */
  readonly bind: readonly string[]
  readonly zones: readonly Name[]
  readonly blocks: readonly RunningBlock[]
  answer(query: Query, observe?: ChainObserver): Eventually<Answer>
}

interface ZoneBlock {
  readonly zone: Name
  readonly block: RunningBlock
  readonly chain: Chain
  readonly answers: boolean
  readonly facts: ServerFacts
}

/** How deep questions of the server to itself may go. COMPAT: the original goes on until its memory is used up. */
const maxDepth = 64

/** Starts the plugins of all plans and joins them into listeners. */
export function createDnsServer(plans: readonly ServerPlan[], ports: Ports): DnsServer {
  const blocks = plans.map((plan) => startBlock(plan, ports))
  // Where the block depends on who asks, no answer is everybody's.
  const withViews = blocks.filter(({ plugins }) => plugins.some(({ plugin }) => plugin.admits !== undefined))
  const viewed = new Set(withViews.flatMap((block) => block.plan.facts.keys.map((key) => groupId(key, block))))
  const repeated = new Set(blocks.flatMap(repeatedCodes))
  const groups = new Map<string, { key: BlockKey; bind: readonly string[]; entries: ZoneBlock[] }>()
  for (const block of blocks) {
    const chain = composeChain(block.plugins)
    const answers = answersQuestions(block.plugins)
    for (const key of block.plan.facts.keys) {
      const id = groupId(key, block)
      const group = groups.get(id) ?? { key, bind: block.plan.bind, entries: [] }
      const facts: ServerFacts = {
        server: serverLabel(key, block.plan.bind),
        zone: key.zone,
        view: block.view,
        isMeasured: block.plugins.some(({ name }) => name === 'prometheus'),
        ...(viewed.has(id) ? {} : { ...hotSourceOf(block), ...cachedOf(block) }),
      }
      group.entries.push({ zone: key.zone, block, chain, answers, facts })
      groups.set(id, group)
    }
  }
  const listeners = [...groups.values()].map(({ key, bind, entries }) =>
    createListener(key, bind, entries, ports, repeated),
  )
  const plugins = blocks.flatMap((block) => block.plugins)
  return {
    blocks,
    listeners,
    notReady: () => plugins.flatMap(({ name, plugin }) => (plugin.isReady?.() === false ? [name] : [])),
    close() {
      for (const { plugin } of plugins) plugin.close?.()
    },
  }
}

function startBlock(plan: ServerPlan, ports: Ports): RunningBlock {
  const plugins = plan.plugins.map(({ definition, config }) => ({
    name: definition.name,
    plugin: definition.create(config, ports, plan.facts),
  }))
  for (const { plugin } of plugins) plugin.join?.(plugins)
  return { plan, view: viewOf(plan), plugins }
}

function createListener(
  key: BlockKey,
  bind: readonly string[],
  entries: readonly ZoneBlock[],
  ports: Ports,
  repeated: ReadonlySet<number>,
): Listener {
  const server = serverLabel(key, bind)
  // COMPAT: classes other than IN reach the chain when any block of the listener has one of these plugins.
  const takesClasses = entries.some(({ block }) =>
    block.plugins.some(({ name }) => name === 'chaos' || name === 'forward' || name === 'proxy'),
  )
  const answer = (query: Query, depth: number, observe?: ChainObserver): Eventually<Answer> => {
    const dropped: ServerFacts = { server, zone: 'dropped', view: '', isMeasured: true }
    const refuse = (code: number, facts = dropped): Answer => ({
      kind: 'reply',
      reply: { ...emptyReply, rcode: code },
      facts,
      plugin: '',
    })
    if (query.class !== rrClass.IN && !takesClasses) return refuse(rcode.REFUSED)
    if ((query.edns?.version ?? 0) !== 0) {
      // Not counted, other than the refusals beside it.
      const facts = { ...dropped, isMeasured: false }
      return { kind: 'reply', reply: { ...emptyReply, rcode: rcode.BADVERS, udpSize: 0 }, facts, plugin: '' }
    }
    const entry = chooseBlock(entries, query)
    if (entry === undefined || !entry.answers) return refuse(rcode.REFUSED)
    const { facts } = entry
    const answeredBy: Context['answeredBy'] = { plugin: '' }
    const context: ChainContext = {
      server: facts,
      metadata: new Map(),
      answeredBy,
      lookup: (inner) => lookupAgain(inner, depth),
      ...(observe === undefined ? {} : { observe }),
    }
    return whenReady(runGuarded(entry, query, context, ports), (outcome) => answerOf(outcome, facts, answeredBy))
  }
  const lookupAgain = (query: Query, depth: number): Eventually<Reply | undefined> => {
    if (depth >= maxDepth) return undefined
    const inner = { ...query, opcode: opcode.QUERY, recursionDesired: true, checkingDisabled: false, class: rrClass.IN }
    const startMs = ports.nowMs()
    return whenReady(answer(inner, depth + 1), (result) => {
      const { reply, plugin } = result.kind === 'reply' ? result : { reply: undefined, plugin: '' }
      const given = reply === undefined ? { plugin } : { reply, plugin }
      ports.askedItself?.(inner, result.facts, given, ports.nowMs() - startMs)
      return reply && truncateReply(inner, reply)
    })
  }
  const zones = [...new Set(entries.map(({ zone }) => zone))]
  const blocks = [...new Set(entries.map(({ block }) => block))]
  return {
    scheme: key.scheme,
    port: key.port,
    bind,
    zones,
    blocks,
    answer: (query, observe) =>
      query.edns === undefined
        ? whenReady(answer(query, 0, observe), (result) => unlessTooLarge(result, query))
        : repeated.size === 0
          ? answer(query, 0, observe)
          : whenReady(answer(query, 0, observe), (result) => repeatOptions(result, query, repeated)),
  }
}

/** COMPAT: a code over 15 needs an OPT record; a reply without one is not sent. */
function unlessTooLarge(answer: Answer, query: Query): Answer {
  const isUnsayable =
    answer.kind === 'reply' && answer.reply.rcode > 15 && negotiateOpt(query, answer.reply) === undefined
  return isUnsayable ? { kind: 'none', facts: answer.facts } : answer
}

/** EDNS options that rewrite rules name. */
function repeatedCodes({ plan }: RunningBlock): number[] {
  const configs = plan.plugins.filter(({ definition }) => definition.name === 'rewrite').map(({ config }) => config)
  const rules = configs.flatMap((config) => (config as { readonly rules: readonly { repeats?: number }[] }).rules)
  return rules.flatMap(({ repeats }) => (repeats === undefined ? [] : [repeats]))
}

/** COMPAT: an option that any rule names comes back from everybody (CoreDNS edns.SetSupportedOption). */
function repeatOptions(answer: Answer, query: Query, repeated: ReadonlySet<number>): Answer {
  if (answer.kind !== 'reply' || answer.reply.ednsOptions || answer.reply.repeatedOptions) return answer
  if (answer.reply.rcode === rcode.BADVERS) return answer
  const options = (query.edns?.options ?? []).filter(({ code }) => repeated.has(code))
  return options.length === 0 ? answer : { ...answer, reply: { ...answer.reply, repeatedOptions: options } }
}

function viewOf(plan: ServerPlan): string {
  const config = plan.plugins.find(({ definition }) => definition.name === 'view')?.config
  return (config as { readonly name?: string } | undefined)?.name ?? ''
}

/** A block takes part in hot answers when kubernetes answers in it and no plugin changes what it says. */
function hotSourceOf({ plugins }: RunningBlock): Pick<ServerFacts, 'hot'> {
  const source = plugins.find(({ plugin }) => isKubernetes(plugin))?.plugin
  if (source === undefined || !isKubernetes(source)) return {}
  const { options } = source.config
  const zones = options.zones.filter((zone) =>
    plugins.every(({ plugin: { handle, isTransparent } }) => {
      if (handle === undefined) return true
      return typeof isTransparent === 'function' ? isTransparent(zone) : isTransparent === true
    }),
  )
  const isShuffled = plugins.some(({ name }) => name === 'loadbalance')
  return zones.length === 0 ? {} : { hot: { index: source.index, options, isShuffled, zones } }
}

/** Replies of the cache may be repeated where every plugin before it lets them pass. */
function cachedOf({ plugins }: RunningBlock): Pick<ServerFacts, 'cached'> {
  const at = plugins.findIndex(({ name }) => name === 'cache')
  const before = plugins.slice(0, Math.max(at, 0))
  const isPassed = before.every(
    ({ plugin: { handle, isTransparent } }) => handle === undefined || isTransparent === true,
  )
  return at < 0 || !isPassed ? {} : { cached: { isShuffled: before.some(({ name }) => name === 'loadbalance') } }
}

/** Blocks with the same one share a listener. */
function groupId({ scheme, port }: BlockKey, { plan }: RunningBlock): string {
  return `${scheme}://${plan.bind.join(',')}:${port}`
}

function serverLabel(key: BlockKey, bind: readonly string[]): string {
  return `${key.scheme}://${bind[0] ?? ''}:${key.port}`
}

/**
 * The block of a question: the longest zone, in each zone the first whose plugins admit the question. DS questions
 * belong to the parent: the shortest zone that is not the root, in it the last block that admits them; the root itself
 * has no other parent (CoreDNS core/dnsserver/server.go, ServeDNS).
 */
function chooseBlock(entries: readonly ZoneBlock[], query: Query): ZoneBlock | undefined {
  const name = foldName(query.name)
  const fitting = entries
    .filter(
      ({ zone, block }) =>
        isUnder(zone, name) &&
        block.plugins.every(({ plugin }) => plugin.admits?.(query, labelsFor(block, query)) ?? true),
    )
    .sort((a, b) => b.zone.length - a.zone.length)
  if (query.type !== rrType.DS || query.opcode !== opcode.QUERY) return fitting[0]
  const parents = name === '.' ? fitting : fitting.filter(({ zone }) => zone !== '.')
  return parents[parents.length - 1] ?? fitting[0]
}

/** Labels of a query in a block, for the choice of the block. */
function labelsFor({ plugins }: RunningBlock, query: Query): MetadataLabels {
  const labels: MetadataLabels = new Map()
  plugins.find(({ name }) => name === 'metadata')?.plugin.metadata?.(query, labels)
  return labels
}

function runGuarded(entry: ZoneBlock, query: Query, context: ChainContext, ports: Ports): Eventually<Outcome> {
  const isDebugging = entry.block.plugins.some(({ name }) => name === 'debug')
  const recover = (cause: unknown): Outcome => {
    if (isDebugging) throw cause
    ports.metrics.add('coredns_panics_total', [])
    const { server } = context.server
    ports.log(
      'error',
      `Recovered from panic in server: "${server}" ${cause instanceof Error ? cause.message : String(cause)}`,
    )
    return failed(rcode.SERVFAIL)
  }
  try {
    const outcome = entry.chain(query, context)
    return outcome instanceof Promise ? outcome.catch(recover) : outcome
  } catch (cause) {
    return recover(cause)
  }
}

function answerOf(outcome: Outcome, facts: ServerFacts, answeredBy: Context['answeredBy']): Answer {
  switch (outcome.kind) {
    case 'reply':
      return { kind: 'reply', reply: outcome.reply, facts, ...answeredBy }
    case 'fail':
      return { kind: 'reply', reply: failureReply(outcome), facts, plugin: '' }
    case 'stream':
      return { kind: 'stream', replies: outcome.replies, facts }
    case 'drop':
    case 'next':
      return { kind: 'none', facts }
  }
}
