// Services and slices in, the wanted ruleset of one address family out. `buildRuleset` is a function of its arguments;
// a builder gives the same results (a property test holds it to that) at the cost of what changed since its last build.

import {
  type ClusterSnapshot,
  compareText,
  deepEqual,
  type EndpointSlice,
  keyOf,
  type Problem,
  type Service,
} from '@kubewire/kube-model'
import { type PartChange, PartTable } from '../ruleset/part-table.ts'
import type { Ruleset } from '../ruleset/ruleset.ts'
import { type Frames, makeFrames } from './frames.ts'
import { sliceServiceKey } from './merge-slices.ts'
import type { ProxyOptions } from './options.ts'
import type { PortView } from './sections/section.ts'
import { isProxiedService } from './service-port.ts'
import { haveSameSlices, readService, type ServiceReading, type ServiceRules, serviceMaker } from './service-rules.ts'
import { changedTally, emptyTally, type Tally } from './tally.ts'

/** Objects that rules are made of. */
export type ProxySnapshot = Pick<ClusterSnapshot, 'services' | 'endpointSlices'>

/** A ruleset and what was seen while making it. */
export interface BuiltRuleset extends Tally {
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
}

/** The ports of one Service as they were and as they are; empty when it was or is not there. */
export interface PortsChange {
  readonly before: readonly PortView[]
  readonly after: readonly PortView[]
}

/** What changed since a builder's last build. */
export interface ServicesChanged {
  /** `namespace/name` of every Service that changed itself or in its slices. */
  readonly services: Iterable<string>
  /** The slices of one of them as they are now, of the builder's family. */
  slicesOf(service: string): readonly EndpointSlice[]
}

/** Makes rulesets again and again, reusing the facts of services that did not change. */
export interface RulesetBuilder {
  /**
   * The ruleset of these objects.
   *
   * @param how.rewritesAll - chains of unchanged services are made anew too, as on a full sync
   * @param how.changed - only these services are looked at; without it, or when the options changed, all are
   */
  build(
    snapshot: ProxySnapshot,
    options: ProxyOptions,
    how?: { readonly rewritesAll?: boolean; readonly changed?: ServicesChanged },
  ): BuiltRuleset
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

/** Service ports that are not the same values in two rulesets of one builder; those of one Service together. */
export function changedPorts(before: BuiltRuleset, after: BuiltRuleset): readonly PortsChange[] {
  const [old, now] = [before, after].map(({ ruleset }) => ruleset.tables.nat as PartTable<ServiceRules>)
  const changes = now === undefined || old === undefined ? [] : now.changesSince(old)
  return changes.map((change) => ({ before: change.before?.ports ?? [], after: change.after?.ports ?? [] }))
}

/** A builder with an empty memory. */
export function createRulesetBuilder(): RulesetBuilder {
  let known: Known | undefined
  return {
    build(snapshot, options, { rewritesAll = false, changed } = {}) {
      const before = !rewritesAll && known !== undefined && affectSameChains(known.options, options) ? known : undefined
      const current =
        changed === undefined || before === undefined
          ? findChanges(snapshot, options, before)
          : namedChanges(changed, snapshot)
      known = advance(before, current, options)
      return resultOf(known)
    },
  }
}

// What a builder remembers; replaced as a whole by every build.
interface Known {
  readonly options: ProxyOptions
  /** In the order of rules. */
  readonly services: readonly ServiceRules[]
  readonly endpointCount: number
  readonly isLargeCluster: boolean
  readonly frames: Frames
  readonly tables: { readonly filter: PartTable<ServiceRules>; readonly nat: PartTable<ServiceRules> }
  readonly tally: Tally
}

type ServiceChange = PartChange<ServiceRules>

// nodePortAddresses and the large-cluster limit do not change a service's own chains.
function affectSameChains(a: ProxyOptions, b: ProxyOptions): boolean {
  return deepEqual(
    { ...a, nodePortAddresses: undefined, largeClusterEndpoints: 0 },
    { ...b, nodePortAddresses: undefined, largeClusterEndpoints: 0 },
  )
}

/** A Service that may have changed; without `service` it is gone. */
interface Changed {
  readonly key: string
  readonly service?: Service
  readonly slices: readonly EndpointSlice[]
}

const noSlices: readonly EndpointSlice[] = []

function namedChanges(changed: ServicesChanged, { services }: ProxySnapshot): readonly Changed[] {
  return [...new Set(changed.services)].map((key) => {
    const slash = key.indexOf('/')
    const service = services.get(key.slice(slash + 1), key.slice(0, slash))
    if (service === undefined || !isProxiedService(service)) return { key, slices: noSlices }
    return { key, service, slices: changed.slicesOf(key) }
  })
}

// Objects that are the same values as last time did not change.
function findChanges(snapshot: ProxySnapshot, options: ProxyOptions, before: Known | undefined): readonly Changed[] {
  const groups = new Map<string, EndpointSlice[]>()
  for (const slice of snapshot.endpointSlices) {
    const key = sliceServiceKey(slice, options.family)
    if (key !== undefined) addTo(groups, key, slice)
  }
  const missing = new Map(before?.services.map((known) => [known.key, known] as const))
  const changes: Changed[] = []
  for (const service of snapshot.services) {
    if (!isProxiedService(service)) continue
    const key = keyOf(service)
    const slices = groups.get(key) ?? noSlices
    const known = missing.get(key)
    missing.delete(key)
    if (known?.service !== service || !haveSameSlices(known.slices, slices)) changes.push({ key, service, slices })
  }
  for (const key of missing.keys()) changes.push({ key, slices: noSlices })
  return changes
}

function addTo<T>(groups: Map<string, T[]>, key: string, item: T): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [item])
  else group.push(item)
}

function advance(before: Known | undefined, changed: readonly Changed[], options: ProxyOptions): Known {
  const old = before?.services ?? []
  let endpointCount = before?.endpointCount ?? 0
  const read = changed.map(({ key, service, slices }) => {
    const was = findService(old, key)
    const reading = service && readService(key, service, slices, options)
    endpointCount += (reading?.endpointCount ?? 0) - (was?.endpointCount ?? 0)
    return { was, reading }
  })
  const isLargeCluster = endpointCount > options.largeClusterEndpoints
  const changes: ServiceChange[] = []
  for (const { was, reading } of read) {
    const after = reading && takeOver(was, reading, isLargeCluster)
    if (after !== undefined) changes.push(was === undefined ? { after } : { before: was, after })
    else if (was !== undefined) changes.push({ before: was })
  }
  const services = mergeServices(old, changes)
  const frames = makeFrames({ options, mark: 2 ** options.masqueradeBit, isLargeCluster }, before?.frames)
  const tableOf = (name: 'filter' | 'nat'): PartTable<ServiceRules> => {
    const table = before?.tables[name]
    if (table === undefined) return new PartTable(serviceMaker(name, options), frames[name], services)
    if (table.parts === services && table.frame === frames[name]) return table
    return table.with(frames[name], services, changes)
  }
  const tables = { filter: tableOf('filter'), nat: tableOf('nat') }
  const tally = changedTally(before?.tally ?? emptyTally, changes)
  return { options, services, endpointCount, isLargeCluster, frames, tables, tally }
}

// Crossing the limit of a large cluster rewrites nothing: a Service that means the same keeps the comments it has.
function takeOver(before: ServiceRules | undefined, now: ServiceReading, isLargeCluster: boolean): ServiceRules {
  const isSame = before !== undefined && haveSameSlices(before.slices, now.slices) && deepEqual(before.ports, now.ports)
  now.isLargeCluster = isSame ? before.isLargeCluster : isLargeCluster
  return now
}

function mergeServices(before: readonly ServiceRules[], changes: readonly ServiceChange[]): readonly ServiceRules[] {
  if (changes.length === 0) return before
  const merged = [...before]
  const added: ServiceRules[] = []
  for (const { before: was, after } of changes) {
    if (was === undefined) added.push(...(after === undefined ? [] : [after]))
    else merged.splice(placeOf(merged, was.key), 1, ...(after === undefined ? [] : [after]))
  }
  // A few are put in their places; many, as at the start, are sorted in.
  if (added.length > 32) return merged.concat(added).sort((a, b) => compareText(a.key, b.key))
  for (const service of added) merged.splice(placeOf(merged, service.key), 0, service)
  return merged
}

function findService(services: readonly ServiceRules[], key: string): ServiceRules | undefined {
  const found = services[placeOf(services, key)]
  return found?.key === key ? found : undefined
}

/** Where a key stands, or would stand, in a sorted list. */
function placeOf(services: readonly ServiceRules[], key: string): number {
  let low = 0
  let high = services.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareText(services[middle]?.key ?? '', key) < 0) low = middle + 1
    else high = middle
  }
  return low
}

// Flat lists are made when somebody asks for them: ten thousand cold objects cost milliseconds, a change needs none.
function resultOf({ options, services, tables, endpointCount, isLargeCluster, tally }: Known): BuiltRuleset {
  const ruleset: Ruleset = { family: options.family, tables }
  let ports: readonly PortView[] | undefined
  return {
    ruleset,
    endpointCount,
    isLargeCluster,
    ...tally,
    get ports() {
      ports ??= services.flatMap((service) => service.ports)
      return ports
    },
    get problems() {
      return services.flatMap((service) => service.problems)
    },
  }
}
