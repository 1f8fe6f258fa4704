// What a plan promises: small changes are one transaction, large ones come in an order that interrupts no service,
// equal rulesets cost nothing, and applying the steps gives what was wanted.

import { snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, service } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { planRestore, type RestoreStep } from './plan.ts'
import { createRulesetBuilder } from './proxy/build-ruleset.ts'
import { proxyOptions } from './proxy/options.ts'
import { countRules, emptyRuleset, type Ruleset } from './ruleset/ruleset.ts'
import { applyRestore, emptyRestoreModel, printRestoreModel, type RestoreModel } from './testing/restore-model.ts'
import { parseSave } from './text/parse-save.ts'
import { printSave } from './text/print-restore.ts'
import { printStep, printStepParts } from './text/print-step.ts'

const options = proxyOptions({ family: 4, nodeName: 'edge-1' })
const nft = { backend: 'nft' } as const

function objects(count: number, change: (i: number) => readonly string[] = (i) => [`10.244.${i >> 8}.${i & 255}`]) {
  return Array.from({ length: count }, (_, i) => [
    service(`shop/s${i}`, { clusterIP: `10.96.${i >> 8}.${i & 255}` }),
    endpointSlice(`shop/s${i}`, change(i)),
  ]).flat()
}

describe('a plan', () => {
  it('writes nothing when the kernel already holds what is wanted', () => {
    const wanted = createRulesetBuilder().build(snapshotOf(objects(3)), options).ruleset
    const installed = parseSave(printSave(wanted)).value
    expect(planRestore(installed, wanted, nft).map(printStep)).toEqual([])
  })

  it('is one transaction for a small first sync, with sorted chain lines and every jump', () => {
    const wanted = createRulesetBuilder().build(snapshotOf(objects(2)), options).ruleset
    const steps = planRestore(emptyRuleset(4), wanted, nft)
    expect(steps.map((step) => step.kind)).toEqual(['switch'])
    const text = printStep(steps[0] as never)
    const lines = text
      .slice(text.indexOf('*nat'))
      .split('\n')
      .filter((line) => line.startsWith(':'))
    expect(lines).toEqual(lines.toSorted())
    expect(text.match(/^-I (INPUT|FORWARD|OUTPUT|PREROUTING|POSTROUTING) /gm)).toHaveLength(14)
  })

  it('makes the chains of many services first, in batches that nothing leads to, and switches at the end', () => {
    const wanted = createRulesetBuilder().build(snapshotOf(objects(40)), options).ruleset
    const steps = planRestore(emptyRuleset(4), wanted, { ...nft, batchRules: 30 })
    const kinds = steps.map((step) => step.kind)
    expect(kinds.slice(0, -1).every((kind) => kind === 'create')).toBe(true)
    expect(kinds.at(-1)).toBe('switch')
    for (const step of steps.slice(0, -1)) {
      expect(
        step.edits.flatMap((edit) => edit.creates.flatMap((lot) => lot.make().map((chain) => chain.name))),
      ).not.toContain('KUBE-SERVICES')
    }
    const kernel = emptyRestoreModel()
    for (const step of steps) {
      applyRestore(kernel, printStep(step))
      expectJumpsToExist(parseSave(printRestoreModel(kernel)).value)
    }
    const whole = emptyRestoreModel()
    applyRestore(whole, planRestore(emptyRuleset(4), wanted, { backend: 'legacy' }).map(printStep).join(''))
    expect(sortedLines(kernel)).toEqual(sortedLines(whole))
  })

  it('can be written piece by piece, which leaves the same behind and counts the same', () => {
    const wanted = createRulesetBuilder().build(snapshotOf(objects(40)), options).ruleset
    const [step] = planRestore(emptyRuleset(4), wanted, { backend: 'legacy' }) as [RestoreStep]
    const parts = [...printStepParts(step, 20)]
    expect(parts.length).toBeGreaterThan(5)
    const kernels = [printStep(step), parts.map(({ text }) => text).join('')].map((text) => {
      const kernel = emptyRestoreModel()
      applyRestore(kernel, text)
      return sortedLines(kernel)
    })
    expect(kernels[1]).toEqual(kernels[0])
    const rules = parts.reduce((sum, part) => sum + (part.table === 'nat' ? part.rules : 0), 0)
    // The jumps from the built-in chains are inserted too.
    expect(rules).toBe(countRules(wanted.tables.nat) + 3)
  })

  it('is one transaction always with the legacy variant', () => {
    const wanted = createRulesetBuilder().build(snapshotOf(objects(40)), options).ruleset
    expect(planRestore(emptyRuleset(4), wanted, { backend: 'legacy', batchRules: 30 })).toHaveLength(1)
  })

  it('touches only the chains of a service whose endpoint changed', () => {
    const builder = createRulesetBuilder()
    const all = objects(200)
    const before = builder.build(snapshotOf(all), options).ruleset
    const changed = [...all, endpointSlice('shop/s7', ['10.244.200.1'])]
    const after = builder.build(snapshotOf(changed), options).ruleset
    const steps = planRestore(before, after, nft)
    const text = steps.map(printStep).join('')
    expect(steps).toHaveLength(1)
    expect(text.match(/^:KUBE-SVC-/gm)).toHaveLength(1)
    expect(text.match(/^-X KUBE-SEP-/gm)).toHaveLength(1)
    expect(text).not.toContain('KUBE-SERVICES')
    expect(text.split('\n').length).toBeLessThan(15)
  })

  it('inserts one rule for a new service and deletes one for a service that went, in a large dispatch chain', () => {
    const builder = createRulesetBuilder()
    const before = builder.build(snapshotOf(objects(200)), options).ruleset
    const after = builder.build(snapshotOf(objects(201)), options).ruleset
    const added = planRestore(before, after, nft).map(printStep).join('')
    expect(added.match(/^-I KUBE-SERVICES /gm)).toHaveLength(1)
    expect(added).not.toContain(':KUBE-SERVICES')
    const gone = planRestore(after, before, nft).map(printStep).join('')
    expect(gone.match(/^-D KUBE-SERVICES /gm)).toHaveLength(1)
    expect(gone).toContain('-X KUBE-SVC-')
  })

  it('leaves rules of other agents in built-in chains and their own chains alone', () => {
    const wanted = createRulesetBuilder().build(snapshotOf(objects(1)), options).ruleset
    const foreign = parseSave('*filter\n:INPUT ACCEPT [0:0]\n:MINE - [0:0]\n-A INPUT -j MINE\nCOMMIT\n').value
    const text = planRestore(foreign, wanted, nft).map(printStep).join('')
    expect(text).not.toContain('MINE')
    expect(text).not.toMatch(/^:INPUT/m)
  })

  it('does not clear the firewall chain of the kubelet when it has no rule to put there', () => {
    const wanted = createRulesetBuilder().build(snapshotOf([]), { ...options, localhostNodePorts: false }).ruleset
    const kubelet = '*filter\n:INPUT ACCEPT [0:0]\n:KUBE-FIREWALL - [0:0]\n-A KUBE-FIREWALL -j DROP\nCOMMIT\n'
    const text = planRestore(parseSave(kubelet).value, wanted, nft).map(printStep).join('')
    expect(text).not.toContain(':KUBE-FIREWALL')
  })
})

function sortedLines(kernel: RestoreModel): readonly string[] {
  return printRestoreModel(kernel).split('\n').sort()
}

function expectJumpsToExist({ tables }: Ruleset): void {
  for (const table of Object.values(tables)) {
    for (const chain of table.values()) {
      for (const { target } of chain.rules) if (target?.kind === 'jump') expect(table.has(target.chain)).toBe(true)
    }
  }
}
