import { snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, namespace, service } from '@kubewire/kube-model/testing'
import { expect, test } from 'vitest'
import type { Output } from '../output.ts'
import { dnsEffects } from './dns-effects.ts'

const output: Output = { data: () => {}, note: () => {}, readStdin: async () => '', hasColour: false }

test('each name and type is one question, answered by its records in any order', async () => {
  const snapshot = snapshotOf([
    namespace('shop'),
    service('shop/tea', { clusterIP: 'None' }),
    endpointSlice('shop/tea', ['10.244.1.12', '10.244.1.11']),
  ])
  const effects = await dnsEffects(snapshot, { corefile: '' }, output)
  expect(effects).toContainEqual({
    subject: 'tea.shop.svc.cluster.local.',
    question: 'A',
    answer: '10.244.1.11, 10.244.1.12',
  })
  expect(effects.filter(({ subject }) => subject.endsWith('.arpa.'))).toEqual([])
})
