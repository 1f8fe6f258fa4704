// Random clusters for the proxy, and random changes of them. Everything comes from one seed.

import type { CaseConfig, CaseStep, CaseTracked, Manifest } from '@kubewire/iptables-gen/cases'
import { randomConfig, randomNode, randomStack, type Stack } from './proxy-config.ts'
import { randomService, randomSlice, serviceName, serviceNumber } from './proxy-objects.ts'
import type { Seeded } from './seeded.ts'

/** A change, and what happens around it. */
export interface RandomStep {
  readonly step: CaseStep
  /** All Services and slices after the change. */
  readonly objects: readonly Manifest[]
  /** Tracked flows that exist before the change. */
  readonly flows: readonly CaseTracked[]
  /** The proxies are killed and started again first. */
  readonly restarts: boolean
}

/** A cluster with its configuration, and the changes to make one after the other. */
export interface RandomCluster {
  readonly config: CaseConfig
  readonly stack: Stack
  readonly cluster: readonly Manifest[]
  readonly steps: readonly RandomStep[]
}

/** A cluster of up to eight Services with two to six changes. */
export function randomProxyCluster(random: Seeded, mode: 'iptables' | 'nftables'): RandomCluster {
  const stack = randomStack(random)
  const world: World = { random, stack, services: new Map(), slices: new Map(), count: 0 }
  for (let i = random.integer(1, 8); i > 0; i--) addService(world)
  const config = randomConfig(random, mode, stack)
  const cluster = [randomNode(random, stack), serviceCidr(random), ...world.services.values(), ...world.slices.values()]
  const steps = Array.from({ length: random.integer(2, 6) }, () => randomStep(world))
  return { config, stack, cluster, steps }
}

interface World {
  readonly random: Seeded
  readonly stack: Stack
  /** By name. */
  readonly services: Map<string, Manifest>
  /** By `service-FAMILY-index`. */
  readonly slices: Map<string, Manifest>
  count: number
}

function serviceCidr(random: Seeded): Manifest {
  const cidrs = random.pick([
    ['10.96.0.0/12'],
    ['10.96.0.0/12', 'fd00:10:96::/112'],
    ['10.96.7.0/24', 'fd00:10:96::/112'],
  ])
  return { apiVersion: 'networking.k8s.io/v1', kind: 'ServiceCIDR', metadata: { name: 'kubernetes' }, spec: { cidrs } }
}

function addService(world: World): readonly Manifest[] {
  const { random, stack, services } = world
  world.count += 1
  const name = serviceName(world.count)
  const service = randomService(random, stack, world.count)
  services.set(name, service)
  const added = [service]
  for (const family of stack)
    for (let index = random.integer(0, 2); index > 0; index--) added.push(setSlice(world, name, family, index))
  return added
}

function setSlice(world: World, service: string, family: 'IPv4' | 'IPv6', index: number): Manifest {
  const slice = randomSlice(world.random, service, family, index)
  world.slices.set(`${service}-${family}-${index}`, slice)
  return slice
}

function randomStep(world: World): RandomStep {
  const { random } = world
  const flows = randomFlows(world)
  // Between two changes of one step there may be a sync or not; tracked flows see the difference.
  const count = flows.length > 0 ? 1 : random.integer(1, 4)
  const changes = Array.from({ length: count }, () => randomChange(world))
  const apply = new Map<string, Manifest>()
  const gone = new Map<string, Manifest>()
  for (const { put, remove } of changes) {
    for (const object of put) {
      apply.set(keyOf(object), object)
      gone.delete(keyOf(object))
    }
    for (const object of remove) {
      gone.set(keyOf(object), object)
      apply.delete(keyOf(object))
    }
  }
  const removed = [...gone.values()].map(({ kind, metadata }) => ({ kind, namespace: 'shop', name: metadata.name }))
  return {
    step: { delete: removed, apply: [...apply.values()] },
    objects: [...world.services.values(), ...world.slices.values()],
    flows,
    restarts: random.chance(0.08),
  }
}

function keyOf({ kind, metadata }: Manifest): string {
  return `${kind} ${metadata.name}`
}

interface Change {
  readonly put: readonly Manifest[]
  readonly remove: readonly Manifest[]
}

function randomChange(world: World): Change {
  const { random, stack, services, slices } = world
  const kind = random.pick(['slice', 'slice', 'slice', 'service', 'remove-service', 'remove-slice', 'node', 'add'])
  const [sliceKey, slice] = slices.size > 0 ? random.pick([...slices]) : []
  const [name, service] = services.size > 0 ? random.pick([...services]) : []
  if (kind === 'slice' && sliceKey !== undefined) {
    const [owner = '', family, index] = sliceKey.split('-')
    return { put: [setSlice(world, owner, family as 'IPv4' | 'IPv6', Number(index))], remove: [] }
  }
  if (kind === 'service' && name !== undefined) {
    const changed = randomService(random, stack, serviceNumber(name))
    services.set(name, changed)
    return { put: [changed], remove: [] }
  }
  if (kind === 'remove-service' && name !== undefined && service !== undefined) {
    services.delete(name)
    return { put: [], remove: [service] }
  }
  if (kind === 'remove-slice' && sliceKey !== undefined && slice !== undefined) {
    slices.delete(sliceKey)
    return { put: [], remove: [slice] }
  }
  if (kind === 'node' && random.chance(0.4)) return { put: [randomNode(random, stack)], remove: [] }
  return { put: addService(world), remove: [] }
}

// UDP flows of clients to front ends of the Services, answered by an endpoint, by nobody, or by somebody unknown.
function randomFlows({ random, stack, services, slices }: World): readonly CaseTracked[] {
  if (!stack.includes('IPv4') || services.size === 0 || random.chance(0.5)) return []
  const endpoints = [...slices.values()]
    .filter((slice) => slice['addressType'] === 'IPv4')
    .flatMap((slice) => slice['endpoints'] as readonly { readonly addresses: readonly string[] }[])
    .flatMap(({ addresses }) => addresses)
  return Array.from({ length: 6 }, (_, i) => {
    const number = serviceNumber(random.pick([...services.keys()]))
    const nodePort = 30_000 + number * 4 + random.integer(0, 2)
    const [destination, destinationPort] = random.pick<readonly [string, number]>([
      [`10.96.7.${number}`, 53],
      [`198.18.0.${number}`, 53],
      [`198.51.100.${100 + number}`, 53],
      ['192.168.50.11', nodePort],
      [`10.96.7.${number}`, 54],
    ])
    const protocol = random.chance(0.9) ? 'udp' : 'tcp'
    const sourcePort = 20_000 + i * 1000 + random.integer(0, 999)
    const replySource = random.pick([destination, '10.244.9.9', ...endpoints, ...endpoints])
    const replySourcePort = replySource === destination ? destinationPort : 5353 + random.integer(1, 2)
    const source = '203.0.113.5'
    return {
      id: `${protocol} ${source}:${sourcePort} ${destination}:${destinationPort} by ${replySource}:${replySourcePort}`,
      ...{ protocol, source, sourcePort, destination, destinationPort, replySource, replySourcePort },
    }
  })
}
