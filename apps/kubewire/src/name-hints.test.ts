import { snapshotOf } from '@kubewire/kube-model'
import { service } from '@kubewire/kube-model/testing'
import { expect, it } from 'vitest'
import { nameHints } from './name-hints.ts'

const snapshot = snapshotOf([service('shop/orders'), service('data/orders'), service('shop/tea')])
const hint = (name: string, what: string): string | undefined =>
  nameHints(snapshot, name, { where: 'x', what })[0]?.what

it.each<[string, string, string, string | undefined]>([
  [
    'a short name leads to the full ones, and to a search list',
    'orders.',
    'A orders. → SERVFAIL',
    'did you mean orders.data.svc.cluster.local or orders.shop.svc.cluster.local?; --client pod/NAMESPACE/NAME walks the search list of a pod',
  ],
  [
    'a typing error leads to the Service of the same Namespace',
    'ordres.shop.svc.cluster.local.',
    'A → NXDOMAIN',
    'did you mean orders.shop.svc.cluster.local?',
  ],
  [
    'a letter too few, too',
    'order.shop.svc.cluster.local',
    'A → NXDOMAIN',
    'did you mean orders.shop.svc.cluster.local?',
  ],
  ['what nobody is called gets no hint', 'coffee.shop.svc.cluster.local.', 'A → NXDOMAIN', undefined],
  ['what is answered gets none', 'tea.', 'A tea. → NOERROR, tea. 5 IN A 10.96.4.4', undefined],
])('%s', (_, name, what, wanted) => {
  expect(hint(name, what)).toBe(wanted)
})
