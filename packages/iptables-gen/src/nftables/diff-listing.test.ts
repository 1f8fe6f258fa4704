// What the kernel lists against what is wanted: the plan of a full sync, and the audit.
// Files covered here: 'parse-listing', 'diff-listing', 'list-table'.

import { snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, service } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { buildRuleset } from '../proxy/build-ruleset.ts'
import { proxyOptions } from '../proxy/options.ts'
import { buildNftTable } from './build-table.ts'
import { auditNftListing, diffNftListing } from './diff-listing.ts'
import { listNftTable } from './list-table.ts'
import { parseNftListing } from './parse-listing.ts'
import { planNft } from './plan-load.ts'

const options = { ...proxyOptions({ family: 4, nodeName: 'node-a' }), serviceCidrs: [] }
const sticky = service('shop/web', { clusterIP: '10.96.4.4', sessionAffinity: 'ClientIP' })
const objects = [sticky, endpointSlice('shop/web', ['10.244.1.5']), service('shop/idle', { clusterIP: '10.96.4.5' })]
const wanted = buildNftTable(buildRuleset(snapshotOf(objects), options).ports, options)

/** The listing of a table as nft 1.0.6 prints it. */
function print(more: readonly string[] = []): string {
  const { chains, sets, maps } = listNftTable(wanted)
  const blocks = [
    ...Object.entries(sets).map(([name, { type, flags, timeout, elements }]) => {
      const size = flags === undefined ? [] : ['size 65535', `flags ${flags}`, `timeout ${timeout}`]
      return block('set', name, [`type ${type}`, ...size, ...elementLines(elements)])
    }),
    ...Object.entries(maps).map(([name, { type, elements }]) =>
      block('map', name, [`type ${type}`, ...elementLines(elements)]),
    ),
    ...Object.entries(chains).map(([name, rules]) => block('chain', name, rules)),
    ...more,
  ]
  return `table ip kube-proxy {\n\tcomment "rules for kube-proxy"\n${blocks.join('')}}\n`
}

function block(kind: string, name: string, lines: readonly string[]): string {
  return `\t${kind} ${name} {\n${lines.map((line) => `\t\t${line}\n`).join('')}\t}\n`
}

function elementLines(elements: readonly string[]): readonly string[] {
  return elements.length === 0 ? [] : [`elements = { ${elements.join(',\n\t\t\t     ')} }`]
}

const rightText = print()

const faultsOf = (listed: Parameters<typeof auditNftListing>[0]): string =>
  auditNftListing(listed, wanted)
    .map(({ what }) => what)
    .join('; ')

describe('a listing against what is wanted', () => {
  it('is read as it would be made', () => expect(parseNftListing(rightText)).toEqual(listNftTable(wanted)))

  const element = '10.96.4.4 . tcp . 80 : goto '
  it.each([
    ['nothing', (text: string) => text, undefined, ''],
    [
      'a client that stuck to an endpoint',
      (text: string) => text.replace('timeout 3h\n', 'timeout 3h\n\t\telements = { 192.0.2.7 expires 2h59m }\n'),
      undefined,
      '',
    ],
    [
      'a rule that somebody added',
      (text: string) => text.replace('\t\treject\n', '\t\treject\n\t\taccept\n'),
      'chain reject-chain has other rules',
      'flush chain ip kube-proxy reject-chain',
    ],
    [
      'an element that somebody took out',
      (text: string) => text.replace(/(map service-ips[^}]*)elements = \{[^}]*\}/, '$1'),
      `map service-ips lacks ${element}`,
      'add map ip kube-proxy service-ips',
    ],
    [
      'a verdict that somebody changed',
      (text: string) => text.replace(`${element}service-`, `${element}other-`),
      'map service-ips holds 10.96.4.4 . tcp . 80',
      'delete element ip kube-proxy service-ips { 10.96.4.4 . tcp . 80 }',
    ],
    [
      'a comment that somebody changed',
      (text: string) => text.replace('comment "shop/idle:http"', 'comment "other"'),
      'map no-endpoint-services holds 10.96.4.5 . tcp . 80',
      'delete element ip kube-proxy no-endpoint-services { 10.96.4.5 . tcp . 80 }',
    ],
    [
      'a chain that is not ours',
      (text: string) => text.replace(/\}\n$/, `${block('chain', 'x/y', ['accept'])}}\n`),
      'x/y is not ours',
      'delete chain ip kube-proxy x/y',
    ],
    [
      'a set with another timeout',
      (text: string) => text.replace('timeout 3h', 'timeout 5s'),
      ' has another timeout',
      'flags dynamic,timeout; timeout 10800s;',
    ],
  ] as const)('%s', (_what, change, fault, plan) => {
    const listed = parseNftListing(change(rightText))
    const found = faultsOf(listed)
    if (fault === undefined) expect(found).toBe('')
    else expect(found).toContain(fault)
    const changes = diffNftListing(listed, wanted)
    const text = planNft(changes ?? expect.fail('it can be changed in place'), { family: 4, takesRulesInChains: true })
      .map((step) => step.text())
      .join('')
    if (fault === undefined) expect(text).toBe('')
    else expect(text).toContain(plan)
  })

  it.each([
    ['a base chain of another priority', (text: string) => text.replace('priority -110', 'priority -111')],
    [
      'a map of another type',
      (text: string) => text.replace('type inet_proto . inet_service : verdict', 'type mark : verdict'),
    ],
    [
      'a base chain where none is wanted',
      (text: string) =>
        text.replace('chain services {\n', 'chain services {\n\t\ttype nat hook input priority 0; policy accept;\n'),
    ],
  ])('cannot be mended in place with %s', (_what, change) => {
    expect(change(rightText)).not.toBe(rightText)
    expect(diffNftListing(parseNftListing(change(rightText)), wanted)).toBeUndefined()
    expect(faultsOf(parseNftListing(change(rightText)))).toContain('another kind')
  })

  it('is missing when the table is', () => expect(faultsOf(undefined)).toBe('the table is gone'))
})
