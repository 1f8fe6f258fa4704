import type { Node } from '@kubewire/kube-model'
import { node } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { nodeChange } from './node.ts'

const here = node('edge-1', ['192.0.2.11'], { 'topology.kubernetes.io/zone': 'a' })
const withCidrs = (podCIDRs: readonly string[]): Node => ({ ...here, spec: { podCIDRs } })

describe('a change of the node', () => {
  it.each([
    [
      'nothing else',
      here,
      { ...here, metadata: { ...here.metadata, labels: { ...here.metadata?.labels, x: 'y' } } },
      'nothing',
    ],
    ['another zone', here, node('edge-1', ['192.0.2.11'], { 'topology.kubernetes.io/zone': 'b' }), 'zone-changed'],
    [
      'another address',
      here,
      node('edge-1', ['192.0.2.12'], { 'topology.kubernetes.io/zone': 'a' }),
      'node-ips-changed',
    ],
    ['its deletion', here, undefined, 'node-deleted'],
    ['its first sight', undefined, here, 'zone-changed'],
    ['other pod CIDRs', withCidrs(['10.1.0.0/24']), withCidrs(['10.2.0.0/24']), 'pod-cidrs-changed'],
  ] as const)('%s', (_what, before, after, wanted) => expect(nodeChange(before, after, true)).toBe(wanted))

  it('does not care for pod CIDRs in other modes', () => {
    expect(nodeChange(withCidrs(['10.1.0.0/24']), withCidrs(['10.2.0.0/24']), false)).toBe('nothing')
  })
})
