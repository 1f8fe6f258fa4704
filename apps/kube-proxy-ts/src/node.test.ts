import type { Node } from '@kubewire/kube-model'
import { node } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { nodeBasis, nodeFault } from './node.ts'

const here = node('edge-1', ['192.0.2.11'], { 'topology.kubernetes.io/zone': 'a' })
const withCidrs = (podCIDRs: readonly string[]): Node => ({ ...here, spec: { podCIDRs } })

describe('a proxy that was set up from a node', () => {
  it.each([
    ['goes on when nothing changed', here, here, undefined],
    [
      'goes on in another zone',
      here,
      node('edge-1', ['192.0.2.11'], { 'topology.kubernetes.io/zone': 'b' }),
      undefined,
    ],
    ['ends when the address changed', here, node('edge-1', ['192.0.2.12']), 'node-ips-changed'],
    [
      'ends when an address of the other family came',
      here,
      node('edge-1', ['192.0.2.11', '2001:db8::11']),
      'node-ips-changed',
    ],
    ['ends when an address came that it had waited for in vain', node('edge-1', []), here, 'node-ips-changed'],
    ['ends when the node came that it had waited for in vain', undefined, here, 'node-ips-changed'],
    ['goes on while there is no node', undefined, undefined, undefined],
    ['ends when the node was deleted', here, undefined, 'node-deleted'],
    ['ends when the pod CIDRs changed', withCidrs(['10.1.0.0/24']), withCidrs(['10.2.0.0/24']), 'pod-cidrs-changed'],
  ] as const)('%s', (_what, before, after, wanted) => expect(nodeFault(nodeBasis(before), after, true)).toBe(wanted))

  it('does not care for pod CIDRs in other modes', () => {
    expect(nodeFault(nodeBasis(withCidrs(['10.1.0.0/24'])), withCidrs(['10.2.0.0/24']), false)).toBeUndefined()
  })
})
