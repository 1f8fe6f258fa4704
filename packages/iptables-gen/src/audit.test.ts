import { snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, service } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { type AuditedChain, auditChain, auditTurn } from './audit.ts'
import { buildRuleset } from './proxy/build-ruleset.ts'
import { proxyOptions } from './proxy/options.ts'
import { printSaveRule } from './text/print-rule.ts'

const names = ['shop/a', 'shop/b', 'shop/c']
const objects = names.flatMap((name, i) => [
  service(name, { clusterIP: `10.96.4.${i + 1}` }),
  endpointSlice(name, [`10.244.1.${i + 1}`, `10.244.2.${i + 1}`]),
])
const { ruleset } = buildRuleset(snapshotOf(objects), proxyOptions({ family: 4, nodeName: 'node-a' }))
const nameOf = ({ table, chain }: AuditedChain): string => `${table} ${chain.name}`
const own = (due: readonly AuditedChain[]): readonly string[] =>
  due.map(nameOf).filter((name) => /KUBE-(?:SVC|SEP)-/.test(name))
const dispatch = auditTurn(ruleset, 0, 1).due.find(({ chain }) => chain.name.startsWith('KUBE-SVC-')) as AuditedChain
const input = auditTurn(ruleset, 0, 1).due.find(({ chain }) => chain.name === 'INPUT') as AuditedChain
const listed = ({ chain }: AuditedChain): readonly string[] =>
  chain.rules.map((rule) => `-A ${chain.name} ${printSaveRule(rule, 4)}`)
const listing = (rules: readonly string[]): string => `-N CHAIN\n${rules.join('\n')}\n`

describe('a turn of the audit', () => {
  it('looks at chains of Services, and the next one goes on behind them until the round is over', () => {
    const first = auditTurn(ruleset, 0, 6)
    const second = auditTurn(ruleset, first.next, 6)
    expect([first.next, own(first.due).length, second.next, own(second.due).length]).toEqual([2, 6, 0, 3])
    expect(own(first.due).filter((name) => own(second.due).includes(name))).toEqual([])
  })

  it('looks at the shared chains of a small cluster every time', () => {
    const shared = auditTurn(ruleset, 1, 1).due.map(nameOf)
    expect(shared).toEqual(expect.arrayContaining(['nat KUBE-SERVICES', 'filter INPUT', 'nat KUBE-MARK-MASQ']))
  })
})

describe('a chain in the kernel', () => {
  const rules = listed(dispatch)
  it.each([
    ['is as it was installed', dispatch, listing(rules), undefined],
    ['is gone', dispatch, undefined, 'the chain is gone'],
    ['lost a rule', dispatch, listing(rules.slice(1)), 'a rule is missing'],
    ['has a rule of somebody else', dispatch, listing([...rules, `-A ${dispatch.chain.name} -j DROP`]), 'not ours'],
    ['has a rule twice', dispatch, listing([...rules, ...rules.slice(0, 1)]), 'a rule is there twice'],
    ['was put in another order', dispatch, listing(rules.toReversed()), 'the rules changed places'],
    ['is built in and holds rules of others', input, listing([...listed(input), '-A INPUT -j ACCEPT']), undefined],
    ['is built in and lost a jump', input, listing(listed(input).slice(1)), 'a rule is missing'],
  ])('%s', (_what, audited, text, wanted) => {
    const found = auditChain(audited, text, 4)
    expect(wanted === undefined ? found : (found ?? 'nothing').includes(wanted)).toBe(
      wanted === undefined ? undefined : true,
    )
  })
})
