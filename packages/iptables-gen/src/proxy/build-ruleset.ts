// The fold over sections: services and slices in, the wanted ruleset of one address family out.

import {
  type ClusterSnapshot,
  compareText,
  deepEqual,
  type EndpointSlice,
  keyOf,
  type Problem,
  type Service,
} from '@kubewire/kube-model'
import type { Chain } from '../ruleset/chain.ts'
import type { Rule } from '../ruleset/rule.ts'
import { type Ruleset, type TableName, tableNames } from '../ruleset/ruleset.ts'
import { categorizeEndpoints } from './categorize-endpoints.ts'
import { chainNames, endpointChain, serviceChains } from './chain-names.ts'
import { endpointsKey, mergeSlices, sliceServiceKey } from './merge-slices.ts'
import type { ProxyOptions } from './options.ts'
import { jumpHooks } from './sections/jump-hooks.ts'
import { firstSections, lastSections, ownSections, sharedSections } from './sections/registry.ts'
import type { Placed, PortSection, PortView, SectionContext } from './sections/section.ts'
import { isProxiedService, type ServicePortFacts, servicePorts } from './service-port.ts'

/** Objects that rules are made of. */
export type ProxySnapshot = Pick<ClusterSnapshot, 'services' | 'endpointSlices'>

/** A ruleset and what was seen while making it. */
export interface BuiltRuleset {
  /** Everything kube-proxy owns, and the built-in chains with its jumps. */
  readonly ruleset: Ruleset
  /** Objects that rules were not made of, and why. */
  readonly problems: readonly Problem[]
  /** Service ports in the order of rules. */
  readonly ports: readonly PortView[]
  /** Endpoint entries of all service ports, used or not. */
  readonly endpointCount: number
  /** Comments below the dispatch chains were left out. */
  readonly isLargeCluster: boolean
  /** Service ports without a local endpoint though their policy is Local, by traffic (a metric of kube-proxy). */
  readonly noLocalEndpoints: { readonly internal: number; readonly external: number }
}

/** Makes rulesets again and again, reusing the chains of services that did not change. */
export interface RulesetBuilder {
  /** `rewritesAll`: chains of unchanged services are made anew too, as on a full sync. */
  build(snapshot: ProxySnapshot, options: ProxyOptions, how?: { readonly rewritesAll?: boolean }): BuiltRuleset
}

/**
 * The rules that kube-proxy wants for these objects, in one address family.
 *
 * Problems name what was left out: `IPT_SERVICE_*`, `IPT_SOURCE_RANGE`, `IPT_ENDPOINT_*`; nothing throws.
 *
 * @see kube-proxy 1.37 pkg/proxy/iptables/proxier.go
 * @example
 * buildRuleset(snapshotOf(objects), proxyOptions({ family: 4, nodeName: 'node-a' })).ruleset
 */
export function buildRuleset(snapshot: ProxySnapshot, options: ProxyOptions): BuiltRuleset {
  return createRulesetBuilder().build(snapshot, options)
}

interface CachedService {
  readonly key: string
  readonly service: Service
  readonly facts: readonly ServicePortFacts[]
  readonly slices: readonly EndpointSlice[]
  readonly ports: readonly CachedPort[]
  readonly endpointCount: number
  readonly problems: readonly Problem[]
}

interface CachedPort {
  readonly view: PortView
  readonly shared: readonly Placed[]
  readonly own: ReadonlyMap<string, Chain>
}

/** A builder with an empty memory. */
export function createRulesetBuilder(): RulesetBuilder {
  let cache = new Map<string, CachedService>()
  let lastOptions: ProxyOptions | undefined
  return {
    build(snapshot, options, { rewritesAll = false } = {}) {
      const isReusable = !rewritesAll && lastOptions !== undefined && affectSameChains(lastOptions, options)
      const known = isReusable ? cache : new Map<string, CachedService>()
      const slicesByService = groupSlices(snapshot.endpointSlices, options)
      const drafts = draftServices(snapshot.services, slicesByService, { options, known })
      const endpointCount = drafts.reduce((sum, draft) => sum + draft.endpointCount, 0)
      const mark = 2 ** options.masqueradeBit
      const context = { options, mark, isLargeCluster: endpointCount > options.largeClusterEndpoints }
      cache = new Map(drafts.map((draft) => [draft.key, finishService(draft, known.get(draft.key), context)]))
      lastOptions = options
      return assemble([...cache.values()], endpointCount, context)
    },
  }
}

// nodePortAddresses and the large-cluster limit do not change a service's own chains.
function affectSameChains(a: ProxyOptions, b: ProxyOptions): boolean {
  return deepEqual(
    { ...a, nodePortAddresses: undefined, largeClusterEndpoints: 0 },
    { ...b, nodePortAddresses: undefined, largeClusterEndpoints: 0 },
  )
}

function groupSlices(
  slices: Iterable<EndpointSlice>,
  { family }: ProxyOptions,
): ReadonlyMap<string, readonly EndpointSlice[]> {
  const groups = new Map<string, EndpointSlice[]>()
  for (const slice of slices) {
    const key = sliceServiceKey(slice, family)
    if (key === undefined) continue
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [slice])
    else group.push(slice)
  }
  return groups
}

interface ServiceDraft {
  readonly key: string
  readonly service: Service
  readonly facts: readonly ServicePortFacts[]
  readonly slices: readonly EndpointSlice[]
  readonly endpoints: ReturnType<typeof mergeSlices>
  readonly endpointCount: number
  readonly problems: readonly Problem[]
}

const noSlices: readonly EndpointSlice[] = []

// A service whose objects are the same as last time is taken over as it is; only the others are read.
function draftServices(
  services: Iterable<Service>,
  slicesByService: ReadonlyMap<string, readonly EndpointSlice[]>,
  how: { readonly options: ProxyOptions; readonly known: ReadonlyMap<string, CachedService> },
): readonly (ServiceDraft | CachedService)[] {
  const drafts: (ServiceDraft | CachedService)[] = []
  for (const service of services) {
    if (!isProxiedService(service)) continue
    const key = keyOf(service)
    const slices = slicesByService.get(key) ?? noSlices
    const before = how.known.get(key)
    if (before !== undefined && before.service === service && areSame(before.slices, slices)) drafts.push(before)
    else drafts.push(draftService(key, service, slices, how.options))
  }
  return drafts.sort((a, b) => compareText(a.key, b.key))
}

function draftService(
  key: string,
  service: Service,
  slices: readonly EndpointSlice[],
  options: ProxyOptions,
): ServiceDraft {
  const facts = servicePorts(service, options)
  const endpoints = mergeSlices(slices, options)
  let endpointCount = 0
  for (const fact of facts.value)
    endpointCount += endpoints.value.get(endpointsKey(fact.portName, fact.protocol))?.length ?? 0
  const problems = [...facts.problems, ...endpoints.problems]
  return { key, service, facts: facts.value, slices, endpoints, endpointCount, problems }
}

function areSame(a: readonly EndpointSlice[], b: readonly EndpointSlice[]): boolean {
  return a.length === b.length && a.every((slice, i) => slice === b[i])
}

function finishService(
  draft: ServiceDraft | CachedService,
  known: CachedService | undefined,
  context: SectionContext,
): CachedService {
  if (!('endpoints' in draft)) return draft
  const { key, service, facts, slices, endpointCount, problems } = draft
  // Changes without effect on rules keep the chains: whoever compares them by identity sees that nothing changed.
  if (known !== undefined && areSame(known.slices, slices) && deepEqual(known.facts, facts))
    return { ...known, service }
  const ordered = facts.toSorted((a, b) => compareText(a.key, b.key))
  const ports = ordered.map((fact) => finishPort(fact, draft, context))
  return { key, service, facts, slices, ports, endpointCount, problems }
}

function finishPort(facts: ServicePortFacts, draft: ServiceDraft, context: SectionContext): CachedPort {
  const all = draft.endpoints.value.get(endpointsKey(facts.portName, facts.protocol)) ?? []
  const endpoints = categorizeEndpoints(all, facts, context.options)
  const view: PortView = {
    facts,
    endpoints,
    all,
    endpointChains: new Map(
      endpoints.reachable.map(({ text }) => [text, endpointChain(facts.id, facts.protocol, text)] as const),
    ),
    chains: serviceChains(facts.id, facts.protocol),
  }
  const run = (sections: readonly PortSection[]): readonly Placed[] =>
    sections.flatMap((section) => section(view, context))
  const own = new Map<string, Chain>()
  for (const [name, rules] of collect(run(ownSections)).get('nat') ?? []) own.set(name, { name, rules })
  return { view, shared: run(sharedSections), own }
}

// Chains that exist even without a rule (kube-proxy declares them in every restore).
const declaredChains: readonly (readonly [TableName, string])[] = [
  ['filter', chainNames.services],
  ['filter', chainNames.externalServices],
  ['filter', chainNames.forward],
  ['filter', chainNames.nodePorts],
  ['filter', chainNames.proxyFirewall],
  ['nat', chainNames.services],
  ['nat', chainNames.nodePorts],
  ['nat', chainNames.postrouting],
  ['nat', chainNames.markMasq],
]

function assemble(services: readonly CachedService[], endpointCount: number, context: SectionContext): BuiltRuleset {
  const ports = services.flatMap((service) => service.ports)
  const placements = [
    ...firstSections.flatMap((section) => section(context)),
    ...ports.flatMap((port) => port.shared),
    ...lastSections.flatMap((section) => section(context)),
  ]
  const tables = collect(placements)
  for (const [table, chain] of declaredChains) rulesOf(tables, table, chain)
  const { family } = context.options
  const chains: { [name in TableName]?: Map<string, Chain> } = {}
  for (const table of tableNames) {
    const collected = tables.get(table)
    if (collected !== undefined) chains[table] = new Map([...collected].map(([name, rules]) => [name, { name, rules }]))
  }
  for (const port of ports) for (const [name, chain] of port.own) chains.nat?.set(name, chain)
  for (const hook of jumpHooks) insertHook(chains[hook.table] ?? new Map(), hook)
  const views = ports.map((port) => port.view)
  return {
    ruleset: { family, tables: chains },
    problems: services.flatMap((service) => service.problems),
    ports: views,
    endpointCount,
    isLargeCluster: context.isLargeCluster,
    noLocalEndpoints: {
      internal: views.filter(({ endpoints: e }) => e.hasEndpoints && !e.hasInternal).length,
      external: views.filter(({ endpoints: e }) => e.hasEndpoints && !e.hasExternal).length,
    },
  }
}

function insertHook(table: Map<string, Chain>, hook: (typeof jumpHooks)[number]): void {
  const before = table.get(hook.from)
  table.set(hook.from, { name: hook.from, rules: [hook.rule, ...(before?.rules ?? [])], policy: 'ACCEPT' })
  if (!table.has(hook.to)) table.set(hook.to, { name: hook.to, rules: [] })
}

type Collected = Map<TableName, Map<string, Rule[]>>

function collect(placements: readonly Placed[]): Collected {
  const tables: Collected = new Map()
  for (const { table, chain, rule } of placements) rulesOf(tables, table, chain).push(rule)
  return tables
}

function rulesOf(tables: Collected, table: TableName, chain: string): Rule[] {
  const chains = tables.get(table) ?? new Map<string, Rule[]>()
  tables.set(table, chains)
  const rules = chains.get(chain) ?? []
  chains.set(chain, rules)
  return rules
}
