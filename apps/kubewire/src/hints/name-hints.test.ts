import type { QueryExplanation } from '@kubewire/dns-core'
import { snapshotOf } from '@kubewire/kube-model'
import { service } from '@kubewire/kube-model/testing'
import { expect, it } from 'vitest'
import { nameHints } from './name-hints.ts'

const snapshot = snapshotOf([service('shop/orders'), service('data/orders'), service('shop/tea')])
const hint = (name: string, outcome: QueryExplanation['outcome']): string | undefined =>
  nameHints(snapshot, name, outcome)[0]?.what

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
])('%s', (_, name, what, wanted) => {
  expect(hint(name, what)).toBe(wanted)
})
