import type { QueryExplanation } from '@kubewire/dns-core'
import { snapshotOf } from '@kubewire/kube-model'
import { service } from '@kubewire/kube-model/testing'
import { expect, it } from 'vitest'
import { nameHints } from './name-hints.ts'

const snapshot = snapshotOf([
  service('shop/orders'),
  service('data/orders'),
  service('shop/tea'),
  service('shop/away', { type: 'ExternalName', externalName: '192.0.2.7' }),
  service('shop/database', { clusterIP: 'None' }),
])
const hint = (name: string, outcome: QueryExplanation['outcome']): string | undefined =>
  nameHints(snapshot, name, { outcome })[0]?.what

it.each<[string, string, QueryExplanation['outcome'], string | undefined]>([
  [
    'a short name leads to the full ones, and to a search list',
    'orders.',
    'forwarded',
    'did you mean orders.data.svc.cluster.local or orders.shop.svc.cluster.local?; --client pod/NAMESPACE/NAME walks the search list of a pod',
  ],
  [
    'a typing error leads to the Service of the same Namespace',
    'ordres.shop.svc.cluster.local.',
    'failure',
    'did you mean orders.shop.svc.cluster.local?',
  ],
  ['a letter too few, too', 'order.shop.svc.cluster.local', 'failure', 'did you mean orders.shop.svc.cluster.local?'],
  ['what nobody is called gets no hint', 'coffee.shop.svc.cluster.local.', 'failure', undefined],
  ['what is answered gets none', 'tea.', 'records', undefined],
  [
    'the zone itself has the name servers that run',
    'cluster.local',
    'no records',
    'the name servers of the zone are the pods of CoreDNS themselves, whose Service kube-system/kube-dns is not among the objects',
  ],
  [
    'an ExternalName with an address says so',
    'away.shop.svc.cluster.local',
    'failure',
    'Service shop/away exists, but its externalName 192.0.2.7 is an address, and an alias can only name a name',
  ],
  [
    'a headless Service without ready endpoints says so',
    'database.shop.svc.cluster.local.',
    'failure',
    'Service shop/database is headless: its name has the addresses of its ready endpoints, and there is none',
  ],
])('%s', (_, name, what, wanted) => {
  expect(hint(name, what)).toBe(wanted)
})

it('leads nowhere from a zone that has a block of its own', () => {
  expect(nameHints(snapshot, 'orders.example.org', { outcome: 'failure', zone: 'example.org.' })).toEqual([])
})
