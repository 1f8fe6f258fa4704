// Packets that tell proxies apart: every front end of some Services, right and wrong ports, asked by pods, by the node
// and from outside.

import { parseSave, type Ruleset, simulatePacket } from '@kubewire/iptables-gen'
import type { CaseConfig, CaseFlow, Manifest, SavedTables } from '@kubewire/iptables-gen/cases'
import { machineOf } from '@kubewire/iptables-gen/cases'
import { type Ip, joinHostPort, parseIp } from '@kubewire/kube-model'
import type { Stack } from './proxy-config.ts'
import type { Seeded } from './seeded.ts'

interface ServiceManifest {
  readonly spec: {
    readonly clusterIPs?: readonly string[]
    readonly externalIPs?: readonly string[]
    readonly ports: readonly { readonly port: number; readonly nodePort?: number; readonly protocol: string }[]
  }
  readonly status?: { readonly loadBalancer: { readonly ingress: readonly { readonly ip?: string }[] } }
}

/** Some packets to the Services among the objects. */
export function randomPackets(
  random: Seeded,
  objects: readonly Manifest[],
  stack: Stack,
  count: number,
): readonly CaseFlow[] {
  const services = objects.filter((object) => object.kind === 'Service') as unknown as readonly ServiceManifest[]
  const targets = services.flatMap(targetsOf).filter(({ ip }) => stack.includes(ip.includes(':') ? 'IPv6' : 'IPv4'))
  if (targets.length === 0) return []
  return Array.from({ length: count }, () => {
    const to = random.pick(targets)
    const from = random.pick(sources[to.ip.includes(':') ? 'IPv6' : 'IPv4'])
    return { from, to: random.chance(0.1) ? { ...to, port: to.port + 1 } : to, expect: {} }
  })
}

function targetsOf({ spec, status }: ServiceManifest): readonly CaseFlow['to'][] {
  const vips = (status?.loadBalancer.ingress ?? []).flatMap(({ ip }) => ip ?? [])
  const fronts = [...(spec.clusterIPs ?? []), ...(spec.externalIPs ?? []), ...vips].filter(
    (ip) => ip !== 'None' && !/\.0\d/.test(ip),
  )
  return spec.ports.flatMap(({ port, nodePort, protocol }) => [
    ...fronts.map((ip) => ({ ip, port, protocol })),
    ...(nodePort === undefined ? [] : nodeAddresses.map((ip) => ({ ip, port: nodePort, protocol }))),
  ])
}

const nodeAddresses = ['192.168.50.11', '192.168.60.11', '127.0.0.1', 'fd00:50::11']

const sources: Readonly<Record<'IPv4' | 'IPv6', readonly CaseFlow['from'][]>> = {
  IPv4: [
    { kind: 'pod', ip: '10.244.1.200' },
    { kind: 'external', ip: '203.0.113.5' },
    { kind: 'external', ip: '203.0.113.205' },
    { kind: 'external', ip: '198.51.100.7' },
    { kind: 'node', ip: '192.168.50.11' },
  ],
  IPv6: [
    { kind: 'pod', ip: 'fd00:244:0:1::200' },
    { kind: 'external', ip: '2001:db8:5::5' },
    { kind: 'node', ip: 'fd00:50::11' },
  ],
}

/** Why a packet fares differently under two sets of rules, or undefined. */
export function packetDifference(
  flow: CaseFlow,
  wanted: SavedTables,
  found: SavedTables,
  config: CaseConfig,
): string | undefined {
  const [theirs, ours] = [fate(flow, wanted, config), fate(flow, found, config)]
  return theirs === ours ? undefined : `${JSON.stringify(flow)}:\n- ${theirs}\n+ ${ours}`
}

function fate({ from, to }: CaseFlow, tables: SavedTables, config: CaseConfig): string {
  const packet = {
    entry: from.kind === 'node' ? 'local' : 'arriving',
    protocol: to.protocol.toLowerCase(),
    source: parseIp(from.ip) as Ip,
    destination: parseIp(to.ip) as Ip,
    sourcePort: 40_000,
    destinationPort: to.port,
    inInterface: from.kind === 'pod' ? 'cni0' : 'eth0',
  } as const
  const { outcomes } = simulatePacket(rulesetOf(tables, to.ip.includes(':') ? 6 : 4), packet, machineOf(config))
  const chances = new Map<string, number>()
  for (const { verdict, packet: after, probability, rejectsWith = '' } of outcomes) {
    const target = joinHostPort(after.destination.text, after.destinationPort ?? 0)
    const way = [verdict, rejectsWith, target, after.isDnat ? 'dnat' : '', after.isSnat ? 'snat' : ''].join(' ')
    chances.set(way, (chances.get(way) ?? 0) + probability)
  }
  return [...chances]
    .map(([way, chance]) => `${way} ${chance.toFixed(5)}`)
    .sort()
    .join('; ')
}

// Parsing costs more than a packet, and many packets meet the same tables.
const parsed = new WeakMap<SavedTables, Ruleset>()

function rulesetOf(tables: SavedTables, family: 4 | 6): Ruleset {
  const known = parsed.get(tables)
  if (known !== undefined) return known
  const text = [...tables].map(([table, chains]) => {
    const heads = [...chains.keys()].map((name) => `:${name} ${name.startsWith('KUBE-') ? '-' : 'ACCEPT'} [0:0]\n`)
    const rules = [...chains.values()].flat().map((rule) => `${rule}\n`)
    return `*${table}\n${heads.join('')}${rules.join('')}COMMIT\n`
  })
  const { value } = parseSave(text.join(''), { family })
  parsed.set(tables, value)
  return value
}
