// Answers to single questions that the conformance cases do not ask.

import { endpointSlice, namespace, service } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { askServer, testServer } from '../testing/ask-corefile.ts'

const ports = [{ name: 'sql', port: 5432, protocol: 'TCP' }]
const objects = [
  namespace('shop'),
  service('shop/db', { clusterIP: 'None', clusterIPs: ['None'] }),
  endpointSlice('shop/db', ['10.20.3.4'], { ports }),
  { ...endpointSlice('shop/db', ['db.partner.example'], { ports, suffix: 'named' }), addressType: 'FQDN' },
]
const corefile = `.:53 {
    hosts /dev/null partner.example {
        192.0.2.10 db.partner.example
    }
    transfer {
        to *
    }
    kubernetes cluster.local
}`

describe('a headless service with an address and a name among its endpoints', () => {
  it.each([
    [
      'answers the address, and follows the name',
      'A',
      'NOERROR aa | db.shop.svc.cluster.local. 5 A 10.20.3.4 | db.shop.svc.cluster.local. 5 CNAME db.partner.example. | db.partner.example. 3600 A 192.0.2.10',
    ],
    [
      'follows the name where it has no address of the family',
      'AAAA',
      'NOERROR aa | db.shop.svc.cluster.local. 5 CNAME db.partner.example.',
    ],
    [
      'has a port of the address alone, of the whole weight',
      'SRV',
      'NOERROR aa | db.shop.svc.cluster.local. 5 SRV 0 100 5432 10-20-3-4.db.shop.svc.cluster.local. | additional: 10-20-3-4.db.shop.svc.cluster.local. 5 A 10.20.3.4',
    ],
  ])('%s', async (_name, type, reply) => {
    const server = testServer(corefile, { objects })
    expect(await askServer(server, `db.shop.svc.cluster.local. ${type}`)).toBe(reply)
  })

  it('lists the name in a transfer as a port that leads nowhere', async () => {
    const server = testServer(corefile, { objects })
    const reply = await askServer(server, 'cluster.local. AXFR', { transport: 'tcp' })
    expect(reply.split(' | ').filter((line) => /db/.test(line))).toEqual([
      'db.shop.svc.cluster.local. 5 A 10.20.3.4',
      '10-20-3-4.db.shop.svc.cluster.local. 5 A 10.20.3.4',
      '_sql._tcp.db.shop.svc.cluster.local. 5 SRV 0 100 5432 10-20-3-4.db.shop.svc.cluster.local.',
      '_sql._tcp.db.shop.svc.cluster.local. 5 SRV 0 100 5432 .',
    ])
  })
})
