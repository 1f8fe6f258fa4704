// Everything that one Service contributes to a ruleset. What is kept of it are facts; rules are made from them whenever
// somebody looks: its own chains, and its rules in the chains of all services.

import { compareText, type EndpointSlice, type Problem, type Service } from '@kubewire/kube-model'
import type { Chain } from '../ruleset/chain.ts'
import type { Part, PartMaker } from '../ruleset/part-table.ts'
import { categorizeEndpoints } from './categorize-endpoints.ts'
import { endpointNamer, servicePortHash } from './chain-names.ts'
import type { EndpointFacts } from './endpoint.ts'
import { type EndpointsByPort, endpointsKey, mergeSlices } from './merge-slices.ts'
import type { ProxyOptions } from './options.ts'
import { endpointSections, ownSections, sharedSections } from './sections/registry.ts'
import type { NamedPort, Placed, PortView, SectionContext } from './sections/section.ts'
import { type ServicePortFacts, servicePorts } from './service-port.ts'

/** What a Service and its slices contribute, as facts. */
export interface ServiceRules extends Part {
  /** `namespace/name`. */
  readonly key: string
  readonly service: Service
  readonly slices: readonly EndpointSlice[]
  /** In the order of rules. */
  readonly ports: readonly PortView[]
  /** Endpoint entries of all service ports, used or not. */
  readonly endpointCount: number
  readonly problems: readonly Problem[]
  /** The cluster was large when it was read: its own chains go without comments. */
  readonly isLargeCluster: boolean
}

/** The same while others are still being read: how large the cluster is shows at the end. */
export type ServiceReading = Omit<ServiceRules, 'isLargeCluster'> & { isLargeCluster: boolean }

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
  let endpointCount = 0
  const ports = facts.value.map((fact): PortView => {
    const all = endpoints.value.get(endpointsKey(fact.portName, fact.protocol)) ?? noEndpoints
    endpointCount += all.length
    const hash = servicePortHash(fact.id, fact.protocol, options.digest)
    const view = { facts: fact, all, endpoints: categorizeEndpoints(all, fact, options), hash }
    return fact.healthCheckNodePort === undefined ? view : { ...view, localReady: countLocalReady(endpoints.value) }
  })
  if (ports.length > 1) ports.sort((a, b) => compareText(a.facts.key, b.facts.key))
  const problems =
    facts.problems.length + endpoints.problems.length === 0 ? noProblems : [...facts.problems, ...endpoints.problems]
  return { key, service, slices, ports, endpointCount, problems, isLargeCluster: false }
}

const noEndpoints: readonly EndpointFacts[] = []

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
    const first = chains.length
    for (const section of ownSections) for (const chain of section(port, context)) addChain(chains, chain, first)
    for (const section of endpointSections) for (const chain of section(port, context)) chains.push(chain)
  }
  return chains
}

// The chains of a port are few; those of its endpoints come later.
function addChain(chains: Chain[], chain: Chain, first: number): void {
  for (let i = first; i < chains.length; i++) {
    const known = chains[i] as Chain
    if (known.name !== chain.name) continue
    chains[i] = { name: chain.name, rules: [...known.rules, ...chain.rules] }
    return
  }
  chains.push(chain)
}

function sharedRules({ ports }: ServiceRules, table: 'filter' | 'nat', context: SectionContext): readonly Placed[] {
  let all: readonly Placed[] = nothing
  for (const port of ports)
    for (const section of sharedSections[table]) {
      const rules = section(port, context)
      if (rules.length > 0) all = all.length === 0 ? rules : [...all, ...rules]
    }
  // One section places rules in both tables.
  return all.every((one) => one.table === table) ? all : all.filter((one) => one.table === table)
}

const nothing: readonly Placed[] = []

function nameChains({ facts, endpoints, all, hash }: PortView, { options }: SectionContext): NamedPort {
  return { facts, endpoints, all, hash, chainsOf: chainsNamer(facts, options) }
}

// Dispatch rules and the chains themselves ask for the same names, most often of the same list, and a hash is dear.
function chainsNamer({ id, protocol }: ServicePortFacts, { digest }: ProxyOptions): NamedPort['chainsOf'] {
  const nameOf = endpointNamer(id, protocol, digest)
  let known: readonly EndpointFacts[] | undefined
  let names: readonly string[] = []
  return (endpoints) => {
    if (endpoints !== known) names = endpoints.map(({ text }) => nameOf(text))
    known = endpoints
    return names
  }
}
