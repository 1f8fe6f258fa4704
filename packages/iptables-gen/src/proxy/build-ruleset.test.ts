// The incremental path is held to the pure function: after any sequence of changes the builder's ruleset is the one
// that is built from nothing, the planned transactions lead to it, and between any two of them every Service is whole.
// Files covered here: 'part-table', 'service-rules', 'frames', 'tally', 'diff-table', 'restore-model', 'build-ruleset'.

import { type Ip, parseCidr, parseIp } from '@kubewire/kube-model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planRestore } from '../plan.ts'
import { PartTable } from '../ruleset/part-table.ts'
import { countRules, emptyRuleset, type Ruleset } from '../ruleset/ruleset.ts'
import { simulatePacket } from '../simulate/run.ts'
import { ChangingCluster, changeCount, changeOf, serviceCount } from '../testing/changing-cluster.ts'
import { applyRestore, emptyRestoreModel, printRestoreModel, type RestoreModel } from '../testing/restore-model.ts'
import { parseSave } from '../text/parse-save.ts'
import { printRestore, printSave } from '../text/print-restore.ts'
import { printStep } from '../text/print-step.ts'
import { buildRuleset, createRulesetBuilder } from './build-ruleset.ts'
import { type ProxyOptions, proxyOptions } from './options.ts'

const detector = { kind: 'cidr', cidr: parseCidr('10.244.0.0/16') as never } as const
const options = proxyOptions({ family: 4, nodeName: 'edge-1', detector })
const change = fc.nat(changeCount - 1).map(changeOf)
const rounds = fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 })

describe('a builder that is told what changed', () => {
  it('gives what is built from nothing, after any sequence of changes', () => {
    fc.assert(
      fc.property(rounds, fc.boolean(), (sequence, isLarge) => {
        const cluster = new ChangingCluster()
        const builder = createRulesetBuilder()
        const how: ProxyOptions = { ...options, largeClusterEndpoints: isLarge ? -1 : 1_000_000 }
        builder.build(cluster.snapshot(), how)
        for (const changes of sequence) {
          const services = changes.map((one) => cluster.apply(one))
          const changed = { services, slicesOf: (key: string) => cluster.slicesOf(key) }
          const built = builder.build(cluster.snapshot(), how, { changed })
          const wanted = buildRuleset(cluster.snapshot(), how)
          expect(printSave(built.ruleset)).toBe(printSave(wanted.ruleset))
          expect({ ...built, ruleset: 0, healthChecks: [...built.healthChecks].sort() }).toEqual({
            ...wanted,
            ruleset: 0,
            healthChecks: [...wanted.healthChecks].sort(),
          })
          expect(countRules(built.ruleset.tables.nat)).toBe(
            [...(wanted.ruleset.tables.nat?.values() ?? [])].reduce(
              (sum, { policy, rules }) => sum + (policy === undefined ? rules.length : 0),
              0,
            ),
          )
        }
      }),
      { numRuns: 60 },
    )
  }, 60_000)

  it('looks at no other service, and keeps the facts of all that it did not have to touch', () => {
    const cluster = new ChangingCluster()
    const shape = { type: 'NodePort', isLocal: false, isSticky: false, hasTwoPorts: false, endpoints: [1, 2] } as const
    for (let index = 0; index < serviceCount; index++)
      for (const kind of ['service', 'endpoints'] as const) cluster.apply({ ...shape, index, kind })
    const builder = createRulesetBuilder()
    const before = builder.build(cluster.snapshot(), options).ruleset
    const services = [cluster.apply({ ...shape, index: 3, kind: 'endpoints', endpoints: [1, 3] })]
    const changed = { services, slicesOf: (key: string) => cluster.slicesOf(key) }
    const after = builder.build(cluster.snapshot(), options, { changed }).ruleset
    const [old, now] = [before.tables.nat, after.tables.nat]
    if (!(old instanceof PartTable && now instanceof PartTable)) throw new Error('expected tables in parts')
    expect(now.changesSince(old).map(({ before: was, after: is }) => [was?.key, is?.key])).toEqual([
      ['shop/s3', 'shop/s3'],
    ])
    expect(now.frame).toBe(old.frame)
  })
})

describe('a plan', () => {
  it('is accepted transaction by transaction, leads to what is wanted, and leaves every service whole in between', () => {
    fc.assert(
      fc.property(rounds, fc.constantFrom(1, 4, 2000), (sequence, batchRules) => {
        const cluster = new ChangingCluster()
        const builder = createRulesetBuilder()
        const kernel = emptyRestoreModel()
        let installed = emptyRuleset(4)
        for (const changes of sequence) {
          const services = changes.map((one) => cluster.apply(one))
          const changed = { services, slicesOf: (key: string) => cluster.slicesOf(key) }
          const { ruleset } = builder.build(cluster.snapshot(), options, { changed })
          const before = reached(kernel)
          const states: ReadonlyMap<string, string>[] = []
          for (const step of planRestore(installed, ruleset, { backend: 'nft', batchRules })) {
            applyRestore(kernel, printStep(step))
            states.push(reached(kernel))
          }
          installed = ruleset
          expect(linesOf(kernel)).toEqual(linesOf(fromNothing(ruleset)))
          const after = reached(kernel)
          for (const state of states)
            for (const [front, where] of state) expect([before.get(front), after.get(front)]).toContain(where)
        }
      }),
      { numRuns: 40 },
    )
  }, 60_000)
})

// The kernel after one transaction with everything; order within a chain that lists services is free.
function fromNothing(ruleset: Ruleset): RestoreModel {
  const kernel = emptyRestoreModel()
  for (const step of planRestore(emptyRuleset(4), ruleset, { backend: 'legacy' })) applyRestore(kernel, printStep(step))
  expect(printRestore(ruleset)).not.toBe('')
  return kernel
}

function linesOf(kernel: RestoreModel): readonly string[] {
  return printRestoreModel(kernel).split('\n').sort()
}

const fronts: readonly (readonly [string, number])[] = Array.from({ length: serviceCount }, (_, i) => [
  [`10.96.0.${i + 1}`, 80] as const,
  ['192.0.2.11', 30_000 + i] as const,
  [`198.51.100.${i + 1}`, 80] as const,
]).flat()

/** Where a packet to each front end ends up, by front end. */
function reached(kernel: RestoreModel): ReadonlyMap<string, string> {
  const { value } = parseSave(printRestoreModel(kernel))
  const machine = { localAddresses: [parseCidr('192.0.2.11/32') as never] }
  return new Map(
    fronts.map(([address, port]) => {
      const packet = {
        entry: 'arriving',
        protocol: 'tcp',
        source: parseIp('203.0.113.9') as Ip,
        destination: parseIp(address) as Ip,
        sourcePort: 40_000,
        destinationPort: port,
        inInterface: 'eth0',
      } as const
      const places = simulatePacket(value, packet, machine).outcomes.map(
        ({ verdict, packet: end }) => `${verdict} ${end.isDnat} ${end.destination.text} ${end.isSnat}`,
      )
      return [`${address}:${port}`, [...new Set(places)].sort().join(', ')]
    }),
  )
}
