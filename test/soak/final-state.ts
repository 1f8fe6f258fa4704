// After the soak, everything must be as if it had been made from nothing: rules, answers, backends.

import { type KubeObject, type Service, snapshotOf } from '@kubewire/kube-model'
import { renderedRules, rulesOf } from '../harness/saved-rules.ts'
import { endpointAddress, endpointsPerService, places } from './soak-objects.ts'
import type { SoakWorld } from './soak-world.ts'
import type { Truth } from './truth.ts'

/** Differences in words; nothing when the state is right. Waits up to `limitMs` for it to become so. */
export async function compareFinalState(
  world: SoakWorld,
  truth: Truth,
  probed: number,
  limitMs: number,
): Promise<readonly string[]> {
  const endMs = Date.now() + limitMs
  for (;;) {
    const differences = [
      ...(await compareRules(world)),
      ...(await compareNames(world)),
      ...(await compareBackends(world, truth, probed)),
    ]
    if (differences.length === 0 || Date.now() > endMs) return differences
  }
}

async function compareRules(world: SoakWorld): Promise<readonly string[]> {
  const kinds = ['Service', 'EndpointSlice', 'Node'] as const
  const objects = kinds.flatMap((kind) => [...world.api.list<KubeObject>(kind)])
  const saved = await world.node.mustRun('iptables-save', [])
  const node = { nodeName: 'node-1', address: places.node }
  const wanted = new Set(renderedRules(snapshotOf(objects), node, saved))
  const installed = new Set(rulesOf(saved))
  return [
    ...[...wanted].filter((line) => !installed.has(line)).map((line) => `a rule is missing: ${line}`),
    ...[...installed].filter((line) => !wanted.has(line)).map((line) => `a rule is left over: ${line}`),
  ]
}

/** Every Service with an address is asked for by name. */
async function compareNames(world: SoakWorld): Promise<readonly string[]> {
  const services = world.api.list<Service>('Service', 'soak').filter(({ spec }) => spec?.clusterIP !== 'None')
  const nameOf = ({ metadata }: Service): string => `${metadata?.name}.${metadata?.namespace}.svc.cluster.local.`
  const words = [`@${places.dns}`, '+noall', '+answer', '+time=2', ...services.map(nameOf)]
  const { stdout } = await world.client.run('dig', words, { timeoutMs: 120_000 })
  const answers = new Map(
    [...stdout.matchAll(/^(\S+)\s+\d+\s+IN\s+A\s+(\S+)$/gm)].map(([, name, address]) => [name, address]),
  )
  return services
    .filter((service) => answers.get(nameOf(service)) !== service.spec?.clusterIP)
    .map((service) => `${nameOf(service)} is ${answers.get(nameOf(service))}, not ${service.spec?.clusterIP}`)
}

/** A few requests to each probed host reach all of its endpoints and no other. */
async function compareBackends(world: SoakWorld, truth: Truth, probed: number): Promise<readonly string[]> {
  const differences: string[] = []
  for (let index = 0; index < probed; index += 1) {
    const urls = Array.from({ length: 30 }, () => `http://${places.node}/`)
    const { stdout } = await world.client.run('curl', [
      '-s',
      '--max-time',
      '5',
      '-H',
      `Host: tea-${index}.example.org`,
      ...urls,
    ])
    const seen = new Set([...stdout.matchAll(/"name":"([^"]+)"/g)].map(([, name]) => name ?? ''))
    for (let at = 0; at < endpointsPerService; at += 1) {
      const address = endpointAddress(index, at)
      const isThere = truth.current(index).has(address)
      if (isThere !== seen.has(address))
        differences.push(`tea-${index} ${isThere ? 'misses' : 'still reaches'} ${address}`)
    }
  }
  return differences
}
