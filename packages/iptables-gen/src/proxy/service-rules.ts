// Everything that one Service contributes to a ruleset: its own chains, and its rules in the chains of all services.
// Two steps, because comments depend on the number of endpoints of the whole cluster: read (facts, counts), then make.

import { compareText, deepEqual, type EndpointSlice, type Problem, type Service } from '@kubewire/kube-model'
import type { Chain } from '../ruleset/chain.ts'
import type { Rule } from '../ruleset/rule.ts'
import { categorizeEndpoints } from './categorize-endpoints.ts'
import { endpointChain, serviceChains } from './chain-names.ts'
import { type EndpointsByPort, endpointsKey, mergeSlices } from './merge-slices.ts'
import type { ProxyOptions } from './options.ts'
import { ownSections, sharedSections } from './sections/registry.ts'
import type { Placed, PortView, SectionContext } from './sections/section.ts'
import { type ServicePortFacts, servicePorts } from './service-port.ts'

/** A Service and its slices as they were read. */
export interface ServiceReading {
  /** `namespace/name`. */
  readonly key: string
  readonly service: Service
  readonly slices: readonly EndpointSlice[]
  /** In the order of rules. */
  readonly facts: readonly ServicePortFacts[]
  readonly endpoints: EndpointsByPort
  /** Endpoint entries of all service ports, used or not. */
  readonly endpointCount: number
  readonly problems: readonly Problem[]
}

/** What a Service contributes. */
export interface ServiceRules extends Omit<ServiceReading, 'endpoints'> {
  readonly ports: readonly PortView[]
  /** Chains of the nat table that belong to this Service alone. */
  readonly own: ReadonlyMap<string, Chain>
  /** Rules in shared chains by `TABLE CHAIN`, in order. */
  readonly shared: ReadonlyMap<string, readonly Rule[]>
  /** Ports without a local endpoint though their policy is Local. */
  readonly noLocalInternal: number
  readonly noLocalExternal: number
}

/** Reads one Service. */
export function readService(
  key: string,
  service: Service,
  slices: readonly EndpointSlice[],
  options: ProxyOptions,
): ServiceReading {
  const facts = servicePorts(service, options)
  const endpoints = mergeSlices(slices, options)
  let endpointCount = 0
  for (const fact of facts.value)
    endpointCount += endpoints.value.get(endpointsKey(fact.portName, fact.protocol))?.length ?? 0
  const problems = [...facts.problems, ...endpoints.problems]
  const ordered = facts.value.length < 2 ? facts.value : facts.value.toSorted((a, b) => compareText(a.key, b.key))
  return { key, service, slices, facts: ordered, endpoints: endpoints.value, endpointCount, problems }
}

/**
 * Makes the rules of a Service that was read. What `before` has and still holds is taken over as the same value, so
 * that whoever compares by identity sees what did not change.
 */
export function makeServiceRules(
  reading: ServiceReading,
  before: ServiceRules | undefined,
  context: SectionContext,
): ServiceRules {
  const { key, service, facts, slices, endpointCount, problems } = reading
  if (before !== undefined && haveSameSlices(before.slices, slices) && deepEqual(before.facts, facts))
    return { ...before, service }
  const ports = facts.map((fact) => viewPort(fact, reading, context.options))
  const own = new Map<string, Chain>()
  const shared = new Map<string, readonly Rule[]>()
  for (const view of ports) {
    for (const [name, rules] of ownRules(view, context)) own.set(name, { name, rules })
    for (const section of sharedSections)
      for (const { table, chain, rule } of section(view, context)) push(shared, `${table} ${chain}`, rule)
  }
  for (const [name, rules] of before?.shared ?? []) if (deepEqual(shared.get(name), rules)) shared.set(name, rules)
  const noLocalInternal = ports.filter(({ endpoints: e }) => e.hasEndpoints && !e.hasInternal).length
  const noLocalExternal = ports.filter(({ endpoints: e }) => e.hasEndpoints && !e.hasExternal).length
  return { key, service, slices, facts, endpointCount, problems, ports, own, shared, noLocalInternal, noLocalExternal }
}

/** Whether two lists hold the same slices, as values and in the same order. */
export function haveSameSlices(a: readonly EndpointSlice[], b: readonly EndpointSlice[]): boolean {
  return a === b || (a.length === b.length && a.every((slice, i) => slice === b[i]))
}

function viewPort(facts: ServicePortFacts, reading: ServiceReading, options: ProxyOptions): PortView {
  const all = reading.endpoints.get(endpointsKey(facts.portName, facts.protocol)) ?? []
  const endpoints = categorizeEndpoints(all, facts, options)
  const endpointChains = new Map<string, string>()
  for (const { text } of endpoints.reachable) endpointChains.set(text, endpointChain(facts.id, facts.protocol, text))
  return { facts, endpoints, all, endpointChains, chains: serviceChains(facts.id, facts.protocol) }
}

function ownRules(view: PortView, context: SectionContext): ReadonlyMap<string, readonly Rule[]> {
  const chains = new Map<string, readonly Rule[]>()
  for (const section of ownSections)
    for (const { chain, rule } of section(view, context) as readonly Placed[]) push(chains, chain, rule)
  return chains
}

function push(lists: Map<string, readonly Rule[]>, key: string, rule: Rule): void {
  const list = lists.get(key) as Rule[] | undefined
  if (list === undefined) lists.set(key, [rule])
  else list.push(rule)
}
