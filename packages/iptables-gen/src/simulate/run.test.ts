// The simulator knows netfilter: these rulesets have nothing to do with Kubernetes.

import { type Cidr, type Ip, parseCidr, parseIp } from '@kubewire/kube-model'
import { describe, expect, it } from 'vitest'
import { parseSave } from '../text/parse-save.ts'
import type { Packet } from './packet.ts'
import { simulatePacket } from './run.ts'

const machine = { localAddresses: [parseCidr('192.0.2.1/32') as Cidr, parseCidr('127.0.0.0/8') as Cidr] }

function ask(text: string, packet: Partial<Packet> = {}) {
  return simulatePacket(
    parseSave(text).value,
    {
      entry: 'arriving',
      protocol: 'tcp',
      source: parseIp('198.51.100.9') as Ip,
      destination: parseIp('203.0.113.1') as Ip,
      destinationPort: 80,
      ...packet,
    },
    machine,
  )
}

const verdicts = (text: string, packet?: Partial<Packet>) =>
  ask(text, packet).outcomes.map((outcome) => `${outcome.verdict} ${outcome.path}`)

const filter = (rules: string): string =>
  `*filter\n:INPUT ACCEPT [0:0]\n:FORWARD DROP [0:0]\n:OUTPUT ACCEPT [0:0]\n:A - [0:0]\n:B - [0:0]\n${rules}COMMIT\n`

describe('a packet', () => {
  it('that is forwarded meets the policy of FORWARD', () => {
    expect(verdicts(filter(''))).toEqual(['drop forward'])
    expect(verdicts(filter('-A FORWARD -j ACCEPT\n'))).toEqual(['accept forward'])
  })

  it('to an address of the machine goes to INPUT', () => {
    expect(verdicts(filter('-A INPUT -j DROP\n'), { destination: parseIp('192.0.2.1') as Ip })).toEqual(['drop input'])
  })

  it('that a process sends to its own machine passes OUTPUT and INPUT', () => {
    const text = filter('-A INPUT -p tcp -m tcp --dport 80 -j REJECT\n')
    expect(verdicts(text, { entry: 'local', destination: parseIp('127.0.0.1') as Ip })).toEqual(['reject input'])
  })

  it('returns to the calling chain, and after a goto to the caller of that', () => {
    expect(verdicts(filter('-A FORWARD -j A\n-A FORWARD -j ACCEPT\n-A A -j RETURN\n-A A -j DROP\n'))).toEqual([
      'accept forward',
    ])
    const text = filter('-A FORWARD -j A\n-A FORWARD -j ACCEPT\n-A A -g B\n-A A -j DROP\n-A B -j RETURN\n')
    expect(verdicts(text)).toEqual(['accept forward'])
  })

  it('picked at random goes every way, with exact probabilities', () => {
    const rules = [
      '-A PREROUTING -m statistic --mode random --probability 0.25 -j DNAT --to-destination 203.0.113.7:1',
      '-A PREROUTING -j DNAT --to-destination 203.0.113.8:1',
    ]
    const trace = ask(`*nat\n:PREROUTING ACCEPT [0:0]\n:POSTROUTING ACCEPT [0:0]\n${rules.join('\n')}\nCOMMIT\n`)
    expect(trace.outcomes.map(({ packet, probability }) => [packet.destination.text, probability])).toEqual([
      ['203.0.113.7', 0.25],
      ['203.0.113.8', 0.75],
    ])
  })

  it('of a known connection does not meet the nat table', () => {
    const text = '*nat\n:PREROUTING ACCEPT [0:0]\n-A PREROUTING -j DNAT --to-destination 203.0.113.7:1\nCOMMIT\n'
    expect(ask(text, { connection: 'ESTABLISHED' }).outcomes[0]?.packet.isDnat).toBe(false)
  })

  it('meets an unknown match both ways, and the assumption is named', () => {
    const trace = ask(filter('-A FORWARD -m geoip --src-cc AU -j ACCEPT\n'))
    expect(trace.outcomes.map(({ verdict, assumptions }) => [verdict, assumptions.length])).toEqual([
      ['drop', 0],
      ['accept', 1],
    ])
    expect(trace.outcomes[1]?.assumptions[0]).toContain('geoip')
  })

  it('does not make the simulation endless when very many matches are unknown', () => {
    const rules = Array.from(
      { length: 40 },
      (_, i) => `-A FORWARD -m geoip --src-cc A${i} -j MARK --set-xmark 0x${i + 1}/0x0\n`,
    )
    const trace = ask(filter(rules.join('')))
    expect(trace.isCut).toBe(true)
    expect(trace.outcomes.length).toBeLessThan(5000)
  })

  it('keeps its mark through tables, and the mark decides about masquerading', () => {
    const text = [
      '*nat',
      ':PREROUTING ACCEPT [0:0]',
      ':POSTROUTING ACCEPT [0:0]',
      '-A PREROUTING -j MARK --set-xmark 0x4000/0x4000',
      '-A POSTROUTING -m mark --mark 0x4000/0x4000 -j MASQUERADE',
      'COMMIT',
      '',
    ].join('\n')
    expect(ask(text).outcomes[0]?.packet.isSnat).toBe(true)
  })
})
