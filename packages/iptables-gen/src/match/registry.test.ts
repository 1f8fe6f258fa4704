// One table for all matches: what is written in restore form, what iptables-save prints, and for which packets it
// holds. A match that can be written can be read back and decided, or a row here fails.

import { type Cidr, type Ip, parseCidr, parseIp } from '@kubewire/kube-model'
import { describe, expect, it } from 'vitest'
import type { Rule } from '../ruleset/rule.ts'
import { enterPacket, type PacketState } from '../simulate/packet.ts'
import { parseRuleWords } from '../text/parse-rule.ts'
import { printRestoreRule, printSaveRule } from '../text/print-rule.ts'
import { splitWords } from '../text/words.ts'
import type { MatchResult } from './define.ts'
import { type Match, matchDefinition, matches } from './registry.ts'

const state: PacketState = {
  ...enterPacket(
    {
      entry: 'arriving',
      protocol: 'tcp',
      source: parseIp('10.244.1.9') as Ip,
      destination: parseIp('192.0.2.11') as Ip,
      sourcePort: 40_000,
      destinationPort: 30_080,
      inInterface: 'cni0',
      mark: 0x4000,
    },
    { localAddresses: [parseCidr('192.0.2.11/32') as Cidr], recentLists: new Set(['KUBE-SEP-A']) },
  ),
  hook: 'PREROUTING',
}

/** File, restore form, save form, and what it says about the packet above. */
const rows: readonly (readonly [string, string, string, MatchResult])[] = [
  ['address', '-s 10.244.0.0/16', '-s 10.244.0.0/16', true],
  ['address', '! -s 10.244.1.9', '! -s 10.244.1.9/32', false],
  ['address', '-d 192.0.2.11', '-d 192.0.2.11/32', true],
  ['interface', '-i cni0', '-i cni0', true],
  ['interface', '! -i cali+', '! -i cali+', true],
  ['interface', '-o eth0', '-o eth0', false],
  ['protocol', '-p udp', '-p udp', false],
  ['comment', '-m comment --comment shop/web:http', '-m comment --comment "shop/web:http"', true],
  ['comment', '-m comment --comment "a \\"quoted\\" word"', '-m comment --comment "a \\"quoted\\" word"', true],
  ['addr-type', '-m addrtype --dst-type LOCAL', '-m addrtype --dst-type LOCAL', true],
  ['addr-type', '-m addrtype --src-type LOCAL', '-m addrtype --src-type LOCAL', false],
  ['addr-type', '-m addrtype --dst-type BROADCAST', '-m addrtype --dst-type BROADCAST', 'unknown'],
  ['conntrack-state', '-m conntrack --ctstate NEW', '-m conntrack --ctstate NEW', true],
  [
    'conntrack-state',
    '-m conntrack ! --ctstate RELATED,ESTABLISHED,DNAT',
    '-m conntrack ! --ctstate RELATED,ESTABLISHED,DNAT',
    true,
  ],
  ['mark', '-m mark --mark 0x00004000/0x00004000', '-m mark --mark 0x4000/0x4000', true],
  ['mark', '-m mark ! --mark 0x00004000/0x00004000', '-m mark ! --mark 0x4000/0x4000', false],
  ['multiport', '-m multiport --dports 80,30000:32767', '-m multiport --dports 80,30000:32767', true],
  ['multiport', '-m multiport ! --dports 8080,9000:9100', '-m multiport ! --dports 8080,9000:9100', true],
  ['multiport', '-m multiport --source-ports 53,5353', '-m multiport --sports 53,5353', false],
  ['multiport', '-m multiport --ports 53,30080', '-m multiport --ports 53,30080', true],
  ['state', '-m state --state NEW', '-m state --state NEW', true],
  ['state', '-m state ! --state RELATED,NEW', '-m state ! --state RELATED,NEW', false],
  ['nfacct', '-m nfacct --nfacct-name some_counter', '-m nfacct --nfacct-name  some_counter', true],
  ['physdev', '-m physdev --physdev-is-bridged', '-m physdev --physdev-is-bridged', 'unknown'],
  ['ports', '-m tcp --dport 30080', '-m tcp --dport 30080', true],
  ['ports', '-m tcp ! --dport 30000:32767', '-m tcp ! --dport 30000:32767', false],
  ['ports', '-m udp --sport 53', '-m udp --sport 53', false],
  [
    'recent',
    '-m recent --name KUBE-SEP-A --rcheck --seconds 10800 --reap',
    '-m recent --rcheck --seconds 10800 --reap --name KUBE-SEP-A --mask 255.255.255.255 --rsource',
    true,
  ],
  [
    'recent',
    '-m recent --name KUBE-SEP-B --rcheck --seconds 10800 --reap',
    '-m recent --rcheck --seconds 10800 --reap --name KUBE-SEP-B --mask 255.255.255.255 --rsource',
    false,
  ],
  [
    'recent',
    '-m recent --name KUBE-SEP-B --set',
    '-m recent --set --name KUBE-SEP-B --mask 255.255.255.255 --rsource',
    true,
  ],
  ['set', '-m set --match-set blocked src', '-m set --match-set blocked src', 'unknown'],
  [
    'statistic',
    '-m statistic --mode random --probability 0.3333333333',
    '-m statistic --mode random --probability 0.33333333349',
    0.3333333333,
  ],
  ['opaque', '-m u32 --u32 6&0xFF=1', '-m u32 --u32 "6&0xFF=1"', 'unknown'],
]

const read = (text: string): Rule => parseRuleWords(splitWords(text), () => false)

describe('every match', () => {
  it.each(rows)('%s: %s', (_file, restore, save, holds) => {
    const rule = read(restore)
    expect(printSaveRule(rule, 4)).toBe(save)
    expect(printSaveRule(read(save), 4)).toBe(save)
    expect(printSaveRule(read(printRestoreRule(rule, 4)), 4)).toBe(save)
    const match = rule.matches[0] as Match
    expect(matchDefinition(match).holds(match, state)).toBe(holds)
    expect(matchDefinition(match).describe(match).length).toBeGreaterThanOrEqual(0)
  })

  it('has a row', () => {
    const seen = new Set(rows.map(([, text]) => read(text).matches[0]?.kind))
    expect(matches.map(({ kind }) => kind).filter((kind) => !seen.has(kind))).toEqual([])
  })

  it('keeps options that it does not know as they stood', () => {
    const text = '-m conntrack --ctorigdst 10.96.0.10/32 --ctdir ORIGINAL'
    expect(read(text).matches[0]?.kind).toBe('opaque')
    expect(printSaveRule(read(text), 4)).toBe(text)
  })
})
