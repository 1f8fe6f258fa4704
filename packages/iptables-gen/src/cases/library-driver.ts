// Runs cases in process: objects through the generator, packets through the simulator.

import {
  deepEqual,
  type Ip,
  joinHostPort,
  type KubeObject,
  type Node,
  parseCidr,
  parseIp,
  printExplanation,
  snapshotOf,
} from '@kubewire/kube-model'
import { explainPacket } from '../explain.ts'
import { buildNftTable } from '../nftables/build-table.ts'
import { listNftTable } from '../nftables/list-table.ts'
import { simulateNftPacket } from '../nftables/simulate.ts'
import type { NftTable } from '../nftables/table.ts'
import { type BuiltRuleset, createRulesetBuilder, type RulesetBuilder } from '../proxy/build-ruleset.ts'
import { healthCheckAnswer, healthChecks } from '../proxy/health-checks.ts'
import type { ProxyOptions } from '../proxy/options.ts'
import { staleFlows } from '../proxy/stale-flows.ts'
import { countRules } from '../ruleset/ruleset.ts'
import type { Packet } from '../simulate/packet.ts'
import { simulatePacket } from '../simulate/run.ts'
import { printSave } from '../text/print-restore.ts'
import type { CaseDriver, CaseTracked, FlowResult } from './case-driver.ts'
import { familiesOf, machineOf, nodeOf } from './case-options.ts'
import { readSaved, type SavedTables } from './compare-saved.ts'
import type { CaseConfig, CaseFlow, CaseStep, Manifest, NftTables } from './proxy-case.ts'

/**
 * Reads the `config` of a case; the result gives the generator's options whenever the Node has changed.
 *
 * @throws Error when the configuration is wrong
 */
export type CaseConfigurator = (config: CaseConfig) => (node: Node | undefined, family: 4 | 6) => ProxyOptions

interface State {
  readonly config: CaseConfig
  readonly optionsOf: ReturnType<CaseConfigurator>
  readonly objects: Map<string, Manifest>
  readonly builders: ReadonlyMap<4 | 6, RulesetBuilder>
  readonly built: Map<4 | 6, BuiltRuleset>
  options: Map<4 | 6, ProxyOptions>
  flows: readonly CaseTracked[]
}

/** A driver that needs nothing but memory. */
export function createLibraryDriver(configure: CaseConfigurator): CaseDriver {
  let state: State | undefined
  const current = (): State => {
    if (state === undefined) throw new Error('no case has begun')
    return state
  }
  const built = (family: 4 | 6): BuiltRuleset => {
    const found = current().built.get(family)
    if (found === undefined) throw new Error(`the case does not look at family ${family}`)
    return found
  }
  return {
    name: 'library',
    async begin(config, cluster) {
      const objects = new Map(cluster.map((object) => [manifestKey(object), object]))
      const node = nodeOf(config, cluster)
      objects.set(manifestKey(node), node)
      const families = familiesOf(config)
      state = {
        config,
        optionsOf: configure(config),
        objects,
        builders: new Map(families.map((family) => [family, createRulesetBuilder()])),
        built: new Map(),
        options: new Map(),
        flows: [],
      }
      sync(state, true)
    },
    async step(step) {
      applyStep(current(), step)
    },
    async saved(family): Promise<SavedTables> {
      return readSaved(printSave(built(family).ruleset))
    },
    async tables(family) {
      return listNftTable(nftTable(current(), family)) as unknown as NftTables[string]
    },
    async flow(flow) {
      const family = flow.to.ip.includes(':') ? 6 : 4
      if (current().config.mode === 'nftables') return followNftFlow(current(), nftTable(current(), family), flow)
      return followFlow(current(), built(family), flow)
    },
    async rulesTotal(family) {
      const { tables } = built(family).ruleset
      return { filter: countRules(tables.filter), nat: countRules(tables.nat) }
    },
    async noLocalEndpoints(family) {
      return built(family).noLocalEndpoints
    },
    async isLargeCluster() {
      return built(4).isLargeCluster
    },
    async request({ port }) {
      const check = [...healthChecks(built(4).ports).values()].find((one) => one.port === port)
      if (check === undefined) throw new Error(`health check node port ${port} is not open`)
      const { status, headers, body } = healthCheckAnswer(check, check.localEndpoints, true)
      const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
      return { status, headers: Object.fromEntries(lower), text: body }
    },
    async openPorts() {
      return [...healthChecks(built(4).ports).values()].map((check) => check.port).sort((a, b) => a - b)
    },
    async seed(flows) {
      current().flows = flows
    },
    async remaining() {
      const { flows } = current()
      const gone = new Set(
        staleFlows(
          flows,
          [...current().built.values()].flatMap((one) => one.ports),
        ).map((stale) => stale.flow.id),
      )
      return flows.filter((flow) => !gone.has(flow.id)).map((flow) => flow.id)
    },
    async end() {
      state = undefined
    },
    async close() {},
  }
}

// Every API server makes the ServiceCIDR `kubernetes`; the recorded clusters had these ranges.
const defaultServiceCidrs = ['10.96.0.0/12', 'fd00:10:96::/112']

function nftTable(state: State, family: 4 | 6): NftTable {
  const built = state.built.get(family)
  const options = state.options.get(family)
  if (built === undefined || options === undefined) throw new Error(`the case does not look at family ${family}`)
  const given = [...state.objects.values()].filter((object) => object.kind === 'ServiceCIDR')
  const texts = given.flatMap((object) => (object['spec'] as { readonly cidrs?: readonly string[] }).cidrs ?? [])
  const cidrs = (texts.length > 0 ? texts : defaultServiceCidrs).flatMap((text) => parseCidr(text) ?? [])
  return buildNftTable(built.ports, { ...options, serviceCidrs: cidrs.filter((cidr) => cidr.family === family) })
}

function applyStep(state: State, step: CaseStep): void {
  for (const { kind, namespace, name } of step.delete ?? [])
    state.objects.delete(manifestKey({ kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) } }))
  for (const object of step.apply ?? []) {
    // An object that comes again unchanged is the same object, as it is in an informer's store.
    const known = state.objects.get(manifestKey(object))
    if (!deepEqual(known, object)) state.objects.set(manifestKey(object), object)
  }
  sync(state, step.forceFullSync === true)
}

function sync(state: State, rewritesAll: boolean): void {
  const node = state.objects.get(`Node /${state.config.nodeName}`) as unknown as Node | undefined
  const snapshot = snapshotOf([...state.objects.values()] as unknown as KubeObject[])
  for (const [family, builder] of state.builders) {
    const options = state.optionsOf(node, family)
    state.options.set(family, options)
    state.built.set(family, builder.build(snapshot, options, { rewritesAll }))
  }
}

function packetOf({ from, to }: CaseFlow): Packet {
  return {
    entry: from.kind === 'node' ? 'local' : 'arriving',
    protocol: to.protocol.toLowerCase(),
    source: parseIp(from.ip) as Ip,
    destination: parseIp(to.ip) as Ip,
    sourcePort: 40_000,
    destinationPort: to.port,
    inInterface: from.iface ?? (from.kind === 'pod' ? 'cni0' : 'eth0'),
    outInterface: 'eth0',
  }
}

function followNftFlow(state: State, table: NftTable, flow: CaseFlow): FlowResult {
  const outcomes = simulateNftPacket(table, packetOf(flow), machineOf(state.config))
  const targets = new Map<string, boolean>()
  for (const { packet, verdict } of outcomes)
    if (verdict === 'accept' && packet.isDnat)
      targets.set(joinHostPort(packet.destination.text, packet.destinationPort ?? 0), packet.isSnat)
  const trace = outcomes.map(({ verdict, chains }) => `${chains.join(' > ')}: ${verdict}`).join('\n')
  return { verdict: outcomes[0]?.verdict ?? 'accept', targets, trace }
}

function followFlow(state: State, { ruleset }: BuiltRuleset, flow: CaseFlow): FlowResult {
  const trace = simulatePacket(ruleset, packetOf(flow), machineOf(state.config))
  const verdicts = new Set(trace.outcomes.map((outcome) => outcome.verdict))
  const targets = new Map<string, boolean>()
  for (const { packet, verdict } of trace.outcomes)
    if (verdict === 'accept' && packet.isDnat)
      targets.set(joinHostPort(packet.destination.text, packet.destinationPort ?? 0), packet.isSnat)
  const [verdict = 'accept'] = verdicts
  const text = printExplanation(explainPacket(trace))
  if (verdicts.size > 1) throw new Error(`the verdict depends on chance:\n${text}`)
  return { verdict, targets, trace: text }
}

function manifestKey(object: {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
}): string {
  return `${object.kind} ${object.metadata.namespace ?? ''}/${object.metadata.name}`
}
