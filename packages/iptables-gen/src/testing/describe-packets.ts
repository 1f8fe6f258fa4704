// Packet tables: rows of "from, to, lands on, source rewritten, why", run against the rules of some objects. For our
// tests and for users' own: it takes the test functions as an argument and so runs under vitest, jest or node:test.

import {
  type Cidr,
  familyBits,
  type Ip,
  joinHostPort,
  type KubeObject,
  type Node,
  parseCidr,
  parseIp,
  printExplanation,
  snapshotOf,
  zoneLabel,
} from '@kubewire/kube-model'
import { explainPacket } from '../explain.ts'
import { buildRuleset } from '../proxy/build-ruleset.ts'
import { type ProxyOptions, proxyOptions } from '../proxy/options.ts'
import type { Ruleset } from '../ruleset/ruleset.ts'
import { simulatePacket } from '../simulate/run.ts'

/**
 * One packet: source address (`node` in front for one that this machine sends), `address:port` with an optional
 * `/udp` or `/sctp`, where it lands (`untouched`, `rejected`, `dropped`, or targets separated by blanks), whether its
 * source is rewritten, and what that means.
 */
export type PacketRow = readonly [
  from: string,
  to: string,
  landsOn: string,
  isSourceRewritten: boolean,
  because: string,
]

/** The objects and the node that a table is about. */
export interface PacketSetup {
  readonly objects: readonly KubeObject[]
  /** Name of this node. */
  readonly node: string
  /** Its own addresses; `192.0.2.11` unless given. */
  readonly nodeAddresses?: readonly string[]
  /** Addresses of pods, of which the detector knows; `10.244.0.0/16` unless given, empty for no detector. */
  readonly podCidr?: string
  readonly options?: Partial<ProxyOptions>
}

/** The two functions of a test runner. */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => void
  readonly test: (name: string, body: () => void) => void
}

/**
 * Makes the function that describes packet tables with the given test runner.
 *
 * @example
 * import { describe, test } from 'vitest'
 * const describePackets = createDescribePackets({ describe, test })
 * describePackets('a ClusterIP service', { objects, node: 'edge-1' }, [
 *   ['10.244.1.9', '10.96.4.4:80', '10.244.1.5:8080', false, 'a pod reaches the endpoint and keeps its address'],
 * ])
 */
export function createDescribePackets(
  runner: TestRunner,
): (title: string, setup: PacketSetup, rows: readonly PacketRow[]) => void {
  return (title, setup, rows) => {
    runner.describe(title, () => {
      for (const row of rows) {
        runner.test(`${row[4]}: ${row[0]} → ${row[1]}`, () => {
          const problem = checkPacket(setup, row)
          if (problem !== undefined) throw new Error(problem)
        })
      }
    })
  }
}

/**
 * Why a row is wrong, with the trace that explains it; undefined when it is right. An undefined `isSourceRewritten`
 * compares nothing.
 */
export function checkPacket(
  setup: PacketSetup,
  row: readonly [from: string, to: string, landsOn: string, isSourceRewritten: boolean | undefined, because: string],
  rules?: Ruleset,
): string | undefined {
  const [from, to, landsOn, isSourceRewritten] = row
  const [, address = '', port = '', protocol = 'tcp'] = /^\[?([^\]]*?)\]?:([0-9]+)(?:\/(.*))?$/.exec(to) ?? []
  const source = parseIp(from.replace(/^node */, '') || (setup.nodeAddresses?.[0] ?? '192.0.2.11')) as Ip
  const destination = parseIp(address) as Ip
  const ruleset = rules ?? buildRuleset(snapshotOf(setup.objects), optionsOf(setup, destination.family)).ruleset
  const trace = simulatePacket(
    ruleset,
    {
      entry: from.startsWith('node') ? 'local' : 'arriving',
      protocol,
      source,
      destination,
      sourcePort: 40_000,
      destinationPort: Number(port),
      inInterface: 'eth0',
    },
    { localAddresses: localPrefixes(setup) },
  )
  const found = [...new Set(trace.outcomes.map(({ verdict, packet }) => placeOf(verdict, packet)))].sort().join(' ')
  const wanted = landsOn.split(' ').sort().join(' ')
  const rewritten = trace.outcomes.some((outcome) => outcome.packet.isSnat && outcome.verdict === 'accept')
  if (found === wanted && rewritten === (isSourceRewritten ?? rewritten)) return undefined
  const source2 = rewritten ? 'with its source rewritten' : 'with its own source'
  return `wanted ${landsOn}, found ${found} ${source2}\n${printExplanation(explainPacket(trace))}`
}

function placeOf(
  verdict: 'accept' | 'drop' | 'reject',
  packet: { readonly isDnat: boolean; readonly destination: Ip; readonly destinationPort: number | undefined },
): string {
  if (verdict === 'drop') return 'dropped'
  if (verdict === 'reject') return 'rejected'
  return packet.isDnat ? joinHostPort(packet.destination.text, packet.destinationPort ?? 0) : 'untouched'
}

function optionsOf(setup: PacketSetup, family: 4 | 6): ProxyOptions {
  const detector = parseCidr(setup.podCidr ?? (family === 4 ? '10.244.0.0/16' : '2001:db8:244::/48'))
  const node = setup.objects.find((object) => object.kind === 'Node' && object.metadata?.name === setup.node) as
    | Node
    | undefined
  const zone = node?.metadata?.labels?.[zoneLabel]
  const nodeIp = (setup.nodeAddresses ?? ['192.0.2.11'])
    .flatMap((text) => parseIp(text) ?? [])
    .find((ip) => ip.family === family)
  return proxyOptions({
    family,
    nodeName: setup.node,
    ...(detector === undefined || setup.podCidr === '' ? {} : { detector: { kind: 'cidr', cidr: detector } }),
    ...(zone === undefined ? {} : { zone }),
    ...(nodeIp === undefined ? {} : { nodeIp }),
    ...setup.options,
  })
}

function localPrefixes(setup: PacketSetup): readonly Cidr[] {
  const texts = [...(setup.nodeAddresses ?? ['192.0.2.11']), '::1']
  const addresses = texts.flatMap((text) => parseIp(text) ?? []).map((ip) => `${ip.text}/${familyBits(ip.family)}`)
  return [...addresses, '127.0.0.0/8'].flatMap((text) => parseCidr(text) ?? [])
}
