// Incremental transfers: who holds which serial gets what; and what a zone of external names lists.

import { namespace, service } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { askServer, testServer } from '../testing/ask-corefile.ts'

const objects = [
  namespace('shop'),
  service(
    'shop/lb',
    { type: 'LoadBalancer', clusterIPs: ['10.96.4.5'] },
    { status: { loadBalancer: { ingress: [{ hostname: 'lb.partner.example' }] } } },
  ),
]
const corefile = `.:53 {
    k8s_external ext.example
    kubernetes cluster.local
    file numbered numbered.example
    transfer {
        to *
    }
}`
const files = { '/etc/numbered': '@ 60 SOA ns admin 7 2 3 4 5\n' }

function setUp() {
  const lines: string[] = []
  const server = testServer(corefile, { objects, files, ports: { log: (_level, line) => void lines.push(line) } })
  return { server, lines }
}

describe('an incremental transfer', () => {
  it.each([
    ['numbered.example.', 7, 'noop', 'sends the SOA to whoever holds the serial'],
    ['numbered.example.', 6, 'whole', 'sends everything to whoever holds an earlier one'],
    ['numbered.example.', 8, 'whole', 'sends everything to whoever holds a later one'],
    ['ext.example.', 0, 'whole', 'sends everything to whoever holds 0, also where the serial is 0'],
    ['ext.example.', 1, 'noop', 'of external names sends the SOA to whoever holds a later serial'],
    ['cluster.local.', 1, 'whole', 'of the cluster sends everything to whoever holds a later serial'],
  ] as const)('of %s from %d: %s: %s', async (zone, ixfrSerial, form, _says) => {
    const { server, lines } = setUp()
    await askServer(server, `${zone} IXFR`, { transport: 'tcp', ixfrSerial })
    expect(lines).toEqual([
      expect.stringContaining(form === 'noop' ? 'Outgoing noop, incremental transfer' : 'Outgoing transfer of'),
    ])
  })
})

it('lists a host name of a load balancer, two labels shorter where a port is named', async () => {
  const reply = await askServer(setUp().server, 'ext.example. AXFR', { transport: 'tcp' })
  expect(reply.split(' | ').filter((line) => line.includes('lb.shop'))).toEqual([
    'lb.shop.ext.example. 5 CNAME lb.partner.example.',
    'lb.shop.ext.example. 5 SRV 0 100 80 lb.partner.example.',
    '_http._tcp.lb.shop.ext.example. 5 SRV 0 100 80 example.',
  ])
})
