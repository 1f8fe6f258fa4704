import { type Cidr, type Ip, parseCidr, parseIp, printExplanation, snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, service } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { explainPacket, tracedObjects } from './explain.ts'
import { buildRuleset } from './proxy/build-ruleset.ts'
import { proxyOptions } from './proxy/options.ts'
import { simulatePacket } from './simulate/run.ts'
import { parseSave } from './text/parse-save.ts'
import { printSave } from './text/print-restore.ts'

const objects = [
  service('shop/web', { clusterIP: '10.96.4.4' }),
  endpointSlice('shop/web', ['10.244.1.5', '10.244.2.7']),
]
const { ruleset } = buildRuleset(snapshotOf(objects), proxyOptions({ family: 4, nodeName: 'edge-1' }))
const packet = {
  entry: 'arriving',
  protocol: 'tcp',
  source: parseIp('10.244.1.9') as Ip,
  destination: parseIp('10.96.4.4') as Ip,
  sourcePort: 40_000,
  destinationPort: 80,
} as const
const machine = { localAddresses: [parseCidr('192.0.2.11/32') as Cidr] }

describe('an explanation', () => {
  it('names the Service, the endpoints with their probabilities, and what changed', () => {
    const trace = simulatePacket(ruleset, packet, machine)
    const text = printExplanation(explainPacket(trace))
    expect(text).toContain('tcp 10.244.1.9:40000 → 10.96.4.4:80')
    expect(text).toContain('reaches 10.244.1.5:8080 with its own source')
    expect(text).toContain('[50%]')
    expect(text).toContain('dst 10.96.4.4:80 → 10.244.2.7:8080')
    expect(tracedObjects(trace)).toEqual(['Service shop/web'])
  })

  it('finds the Service in the comments when the rules come from iptables-save', () => {
    const saved = parseSave(printSave(ruleset)).value
    expect(tracedObjects(simulatePacket(saved, packet, machine))).toEqual(['Service shop/web'])
  })

  it('says beside each end what had to be assumed, for chances sum up among these ends alone', () => {
    const text = '*filter\n:FORWARD DROP [0:0]\n-A FORWARD -i eth0 -j ACCEPT\nCOMMIT\n'
    const trace = simulatePacket(parseSave(text).value, packet, machine)
    const ends = (explainPacket(trace).steps ?? []).flatMap((step) => [step, ...(step.steps ?? [])])
    expect(ends.filter(({ where }) => where === 'result').map(({ what, why }) => [what, why])).toEqual([
      ['is dropped', undefined],
      ['goes on untranslated with its own source', 'assuming from interface eth0'],
    ])
  })

  it('says when nothing touches the packet', () => {
    const elsewhere = { ...packet, destination: parseIp('203.0.113.1') as Ip }
    expect(explainPacket(simulatePacket(ruleset, elsewhere, machine)).what).toBe(
      'goes on untranslated with its own source',
    )
  })
})
