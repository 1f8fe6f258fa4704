// Everything that one Service contributes to a ruleset. What is kept of it are facts; rules are made from them whenever
// somebody looks: its own chains, and its rules in the chains of all services.

import { compareText, type EndpointSlice, type Problem, type Service } from '@kubewire/kube-model'
import type { Chain } from '../ruleset/chain.ts'
import type { Part, PartMaker } from '../ruleset/part-table.ts'
import type { Rule } from '../ruleset/rule.ts'
import { categorizeEndpoints } from './categorize-endpoints.ts'
import { chainsOfHash, endpointChain, servicePortHash } from './chain-names.ts'
import { type EndpointsByPort, endpointsKey, mergeSlices } from './merge-slices.ts'
import type { ProxyOptions } from './options.ts'
import { ownSections, sharedSections } from './sections/registry.ts'
import type { NamedPort, Placed, PortView, SectionContext } from './sections/section.ts'
import { type ServicePortFacts, servicePorts } from './service-port.ts'

/** A Service and its slices as they were read. */
export interface ServiceReading extends Part {
  /** `namespace/name`. */
  readonly key: string
  readonly service: Service
  readonly slices: readonly EndpointSlice[]
  /** In the order of rules. */
  readonly ports: readonly PortView[]
  /** Endpoint entries of all service ports, used or not. */
  readonly endpointCount: number
  readonly problems: readonly Problem[]
}

/** What a Service contributes, as facts. */
export interface ServiceRules extends ServiceReading {
  /** The cluster was large when it was read: its own chains go without comments. */
  readonly isLargeCluster: boolean
}

const noProblems: readonly Problem[] = []

/** Reads one Service. */
export function readService(
  key: string,
  service: Service,
  slices: readonly EndpointSlice[],
  options: ProxyOptions,
): ServiceReading {
  const facts = servicePorts(service, options)
  const endpoints = mergeSlices(slices, options)
  const ports = facts.value.map((fact): PortView => {
    const all = endpoints.value.get(endpointsKey(fact.portName, fact.protocol)) ?? []
    const hash = servicePortHash(fact.id, fact.protocol, options.digest)
    const view = { facts: fact, all, endpoints: categorizeEndpoints(all, fact, options), hash }
    return fact.healthCheckNodePort === undefined ? view : { ...view, localReady: countLocalReady(endpoints.value) }
  })
  if (ports.length > 1) ports.sort((a, b) => compareText(a.facts.key, b.facts.key))
  const endpointCount = ports.reduce((sum, port) => sum + port.all.length, 0)
  const problems = [...facts.problems, ...endpoints.problems]
  return { key, service, slices, ports, endpointCount, problems: problems.length === 0 ? noProblems : problems }
}

function countLocalReady(endpoints: EndpointsByPort): number {
  const addresses = new Set<string>()
  for (const list of endpoints.values())
    for (const endpoint of list) if (endpoint.isLocal && endpoint.isReady) addresses.add(endpoint.ip.text)
  return addresses.size
}

/** Whether two lists hold the same slices, as values and in the same order. */
export function haveSameSlices(a: readonly EndpointSlice[], b: readonly EndpointSlice[]): boolean {
  return a === b || (a.length === b.length && a.every((slice, i) => slice === b[i]))
}

/** How Services become rules of one table. */
export function serviceMaker(table: 'filter' | 'nat', options: ProxyOptions): PartMaker<ServiceRules> {
  const mark = 2 ** options.masqueradeBit
  const small: SectionContext = { options, mark, isLargeCluster: false }
  const large: SectionContext = { options, mark, isLargeCluster: true }
  const contextOf = (service: ServiceRules): SectionContext => (service.isLargeCluster ? large : small)
  return {
    own: (service) => (table === 'nat' ? ownChains(service, contextOf(service)) : []),
    shared: (service) => sharedRules(service, table, contextOf(service)),
    estimate: (service) => (table === 'nat' ? estimateOwn(service) : 0),
  }
}

// Two or three rules an endpoint, and a few for the way there.
function estimateOwn({ ports }: ServiceRules): number {
  let count = 0
  for (const { endpoints } of ports) if (endpoints.hasEndpoints) count += 3 * endpoints.reachable.length + 2
  return count
}

function ownChains({ ports }: ServiceRules, context: SectionContext): readonly Chain[] {
  const chains: Chain[] = []
  for (const view of ports) {
    const port = nameChains(view, context)
    const lists = new Map<string, Rule[]>()
    for (const section of ownSections) for (const { chain, rule } of section(port, context)) push(lists, chain, rule)
    for (const [name, rules] of lists) chains.push({ name, rules })
  }
  return chains
}

function sharedRules(
  { ports }: ServiceRules,
  table: 'filter' | 'nat',
  context: SectionContext,
): ReadonlyMap<string, readonly Rule[]> {
  const lists = new Map<string, Rule[]>()
  for (const view of ports) {
    const port = nameChains(view, context)
    for (const section of sharedSections[table])
      for (const one of section(port, context) as readonly Placed[])
        if (one.table === table) push(lists, one.chain, one.rule)
  }
  return lists
}

function nameChains(view: PortView, { options }: SectionContext): NamedPort {
  const { facts, endpoints, all, hash } = view
  return { facts, endpoints, all, hash, chains: chainsOfHash(hash), endpointChain: endpointNamer(facts, options) }
}

// Dispatch rules and the chain itself ask for the same name, and a hash is dear.
function endpointNamer(
  { id, protocol }: ServicePortFacts,
  { digest }: Pick<ProxyOptions, 'digest'>,
): (endpoint: string) => string {
  let names: Map<string, string> | undefined
  return (endpoint) => {
    const known = names?.get(endpoint)
    if (known !== undefined) return known
    const name = endpointChain(id, protocol, endpoint, digest)
    names ??= new Map()
    names.set(endpoint, name)
    return name
  }
}

function push(lists: Map<string, Rule[]>, chain: string, rule: Rule): void {
  const list = lists.get(chain)
  if (list === undefined) lists.set(chain, [rule])
  else list.push(rule)
}
