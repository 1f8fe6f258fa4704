import { snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, service } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { buildRuleset } from '../proxy/build-ruleset.ts'
import { proxyOptions } from '../proxy/options.ts'
import { buildNftTable } from './build-table.ts'
import { planNftLoad } from './plan-load.ts'
import type { NftTable } from './table.ts'

const options = { ...proxyOptions({ family: 4, nodeName: 'node-a' }), serviceCidrs: [] }
const tableOf = (timeoutSeconds: number, addresses: readonly string[], ranges?: readonly string[]): NftTable => {
  const web = service(
    'shop/web',
    {
      type: 'LoadBalancer',
      clusterIP: '10.96.4.4',
      sessionAffinity: 'ClientIP',
      sessionAffinityConfig: { clientIP: { timeoutSeconds } },
      ...(ranges === undefined ? {} : { loadBalancerSourceRanges: ranges }),
    },
    { status: { loadBalancer: { ingress: [{ ip: '198.51.100.80' }] } } },
  )
  return buildNftTable(buildRuleset(snapshotOf([web, endpointSlice('shop/web', addresses)]), options).ports, options)
}
const one = tableOf(300, ['10.244.1.5'])

describe('what is loaded', () => {
  it.each([
    ['nothing, when nothing differs', tableOf(300, ['10.244.1.5']), []],
    [
      'an affinity set once more, when its timeout changed',
      tableOf(10, ['10.244.1.5']),
      ['add set ip kube-proxy affinity-'],
    ],
    [
      'a chain and a set, when an endpoint came, and the set that the rules named before',
      tableOf(300, ['10.244.1.5', '10.244.1.6']),
      ['add set ', 'add set ', 'add chain '],
    ],
  ])('%s', (_what, wanted, starts) => {
    const lines = planNftLoad(one, wanted).split('\n')
    const added = lines.filter((line) => line.startsWith('add set ') || line.startsWith('add chain '))
    expect(added).toHaveLength(starts.length)
    for (const [i, start] of starts.entries()) expect(added[i]).toContain(start)
    if (starts.length === 0) expect(lines).toEqual([''])
  })

  it('source ranges with their lengths, also those inside of others', () => {
    const text = planNftLoad(undefined, tableOf(300, ['10.244.1.5'], ['203.0.113.0/24', '203.0.113.7/32']))
    expect(text).toContain('ip saddr != { 203.0.113.0/24, 203.0.113.7/32 } drop')
  })
})
