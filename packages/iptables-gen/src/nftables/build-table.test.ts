// The incremental path is held to the pure one: after any sequence of changes the planned transactions lead to the table
// that is built from nothing, and each of them is one that the kernel would take.
// Files covered here: 'build-table', 'shared-content', 'changes', 'diff-tables', 'nft-load-model', 'changing-cluster'.

import { parseCidr } from '@kubewire/kube-model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildRuleset, createRulesetBuilder } from '../proxy/build-ruleset.ts'
import { proxyOptions } from '../proxy/options.ts'
import { ChangingCluster, changeCount, changeOf } from '../testing/changing-cluster.ts'
import { applyNftLoad, emptyNftLoadModel, type NftLoadModel, printNftLoadModel } from '../testing/nft-load-model.ts'
import { buildNftTable, createNftTableBuilder } from './build-table.ts'
import { auditNftListing, diffFromNothing } from './diff-listing.ts'
import { listNftTable } from './list-table.ts'
import { planNft, planNftLoad } from './plan-load.ts'

const detector = { kind: 'cidr', cidr: parseCidr('10.244.0.0/16') as never } as const
const options = { ...proxyOptions({ family: 4, nodeName: 'edge-1', detector }), serviceCidrs: [] }

const change = fc.nat(changeCount - 1).map(changeOf)
const rounds = fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 })

function loaded(model: NftLoadModel, ...texts: readonly string[]): string {
  for (const text of texts) applyNftLoad(model, text)
  return printNftLoadModel(model)
}

describe('a builder that is told what changed', () => {
  it.each([true, false])(
    'leads to the table that is built from nothing, rules in chains: %s',
    (takesRulesInChains) => {
      const plan = { family: 4, takesRulesInChains, batchPorts: 1 } as const
      fc.assert(
        fc.property(rounds, (sequence) => {
          const cluster = new ChangingCluster()
          const [rulesets, tables] = [createRulesetBuilder(), createNftTableBuilder()]
          let table = tables.build(rulesets.build(cluster.snapshot(), options), options)
          const model = emptyNftLoadModel()
          loaded(model, ...planNft(diffFromNothing(table), plan).map((step) => step.text()))
          for (const changes of sequence) {
            const services = changes.map((one) => cluster.apply(one))
            const changed = { services, slicesOf: (key: string) => cluster.slicesOf(key) }
            const next = tables.build(rulesets.build(cluster.snapshot(), options, { changed }), options)
            const wanted = buildNftTable(buildRuleset(cluster.snapshot(), options).ports, options)
            const difference = next.changesSince(table)
            expect(difference).toBeDefined()
            if (difference === undefined) return
            const state = loaded(model, ...planNft(difference, plan).map((step) => step.text()))
            expect(state).toBe(loaded(emptyNftLoadModel(), planNftLoad(undefined, wanted)))
            expect(auditNftListing(listNftTable(next), wanted)).toEqual([])
            table = next
          }
        }),
        { numRuns: 40 },
      )
    },
    60_000,
  )

  it('knows nothing of tables that it did not make last, and of other options', () => {
    const cluster = new ChangingCluster()
    const [rulesets, tables] = [createRulesetBuilder(), createNftTableBuilder()]
    const shape = { type: 'NodePort', isLocal: false, isSticky: false, hasTwoPorts: false, endpoints: [1] } as const
    const build = (more = {}) => tables.build(rulesets.build(cluster.snapshot(), options), { ...options, ...more })
    const first = build()
    cluster.apply({ ...shape, index: 1, kind: 'service' })
    const second = build()
    expect(second.changesSince(first)?.fresh).toHaveLength(1)
    expect(second.changesSince(second)).toBeUndefined()
    expect(build({ masqueradeBit: 3 }).changesSince(second)).toBeUndefined()
  })
})
