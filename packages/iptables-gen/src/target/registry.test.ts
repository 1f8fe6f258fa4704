// One table for all targets: restore form, save form, and what becomes of a packet.

import { type Ip, parseIp } from '@kubewire/kube-model'
import { describe, expect, it } from 'vitest'
import type { Rule } from '../ruleset/rule.ts'
import { enterPacket } from '../simulate/packet.ts'
import { parseRuleWords } from '../text/parse-rule.ts'
import { printRestoreRule, printSaveRule } from '../text/print-rule.ts'
import { splitWords } from '../text/words.ts'
import { type Target, targetDefinition, targets } from './registry.ts'

const packet = enterPacket(
  {
    entry: 'local',
    protocol: 'tcp',
    source: parseIp('192.0.2.11') as Ip,
    destination: parseIp('10.96.0.10') as Ip,
    destinationPort: 80,
    mark: 0x8000,
  },
  { localAddresses: [] },
)

/** File, restore form, save form, and the effect: what goes on, and what changed. */
const rows: readonly (readonly [string, string, string, object])[] = [
  ['jump', '-j KUBE-SVC-A', '-j KUBE-SVC-A', { kind: 'jump', chain: 'KUBE-SVC-A', returns: true }],
  ['jump', '-g KUBE-SVC-A', '-g KUBE-SVC-A', { kind: 'jump', chain: 'KUBE-SVC-A', returns: false }],
  ['verdict', '-j ACCEPT', '-j ACCEPT', { kind: 'accept' }],
  ['verdict', '-j DROP', '-j DROP', { kind: 'drop' }],
  ['verdict', '-j RETURN', '-j RETURN', { kind: 'return' }],
  [
    'reject',
    '-j REJECT',
    '-j REJECT --reject-with icmp-port-unreachable',
    { kind: 'reject', with: 'icmp-port-unreachable' },
  ],
  [
    'reject',
    '-j REJECT --reject-with tcp-reset',
    '-j REJECT --reject-with tcp-reset',
    { kind: 'reject', with: 'tcp-reset' },
  ],
  [
    'dnat',
    '-j DNAT --to-destination 10.244.1.5:8080',
    '-j DNAT --to-destination 10.244.1.5:8080',
    { kind: 'accept', packet: { isDnat: true, destinationPort: 8080 } },
  ],
  [
    'dnat',
    '-j DNAT --to-destination 10.244.1.5',
    '-j DNAT --to-destination 10.244.1.5',
    { kind: 'accept', packet: { isDnat: true, destinationPort: 80 } },
  ],
  [
    'masquerade',
    '-j MASQUERADE --random-fully',
    '-j MASQUERADE --random-fully',
    { kind: 'accept', packet: { isSnat: true } },
  ],
  [
    'mark',
    '-j MARK --or-mark 0x00004000',
    '-j MARK --set-xmark 0x4000/0x4000',
    { kind: 'continue', packet: { mark: 0xc000 } },
  ],
  [
    'mark',
    '-j MARK --xor-mark 0x00008000',
    '-j MARK --set-xmark 0x8000/0x0',
    { kind: 'continue', packet: { mark: 0 } },
  ],
  ['mark', '-j MARK --set-mark 0x1', '-j MARK --set-xmark 0x1/0xffffffff', { kind: 'continue', packet: { mark: 1 } }],
  ['opaque', '-j LOG --log-prefix dropped', '-j LOG --log-prefix dropped', { kind: 'continue' }],
  ['opaque', '-j TPROXY --on-port 15001', '-j TPROXY --on-port 15001', { kind: 'unknown' }],
]

const read = (text: string): Rule => parseRuleWords(splitWords(text), (name) => name.startsWith('KUBE-'))

describe('every target', () => {
  it.each(rows)('%s: %s', (_file, restore, save, effect) => {
    const rule = read(restore)
    expect(printSaveRule(rule, 4)).toBe(save)
    expect(printSaveRule(read(save), 4)).toBe(save)
    expect(printSaveRule(read(printRestoreRule(rule, 4)), 4)).toBe(save)
    const target = rule.target as Target
    expect(targetDefinition(target).act(target, packet)).toMatchObject(effect)
    expect(targetDefinition(target).describe(target)).not.toBe('')
  })

  it('has a row', () => {
    const seen = new Set(rows.map(([, text]) => read(text).target?.kind))
    expect(targets.map(({ kind }) => kind).filter((kind) => !seen.has(kind))).toEqual([])
  })

  it('translates to an IPv6 address in brackets', () => {
    const rule = read('-j DNAT --to-destination [2001:db8::5]:8080')
    expect(rule.target).toEqual({ kind: 'dnat', address: '2001:db8::5', port: 8080 })
    expect(printSaveRule(rule, 6)).toBe('-j DNAT --to-destination [2001:db8::5]:8080')
  })
})
