import { emptySnapshot, snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, namespace, service } from '@kubewire/kube-model/testing'
import { expect, test } from 'vitest'
import { aliasHints } from '../hints/name-hints.ts'
import { corefileOf, plainListener, startClusterDns } from '../input/cluster-dns.ts'
import { askName, explainNameAnswer } from './ask-name.ts'

async function what(name: string, corefile = corefileOf(emptySnapshot).text): Promise<string> {
  const { server } = startClusterDns(emptySnapshot, { text: corefile, fileName: 'Corefile' })
  const question = { name, type: 'A', client: '' }
  const answer = explainNameAnswer(await askName(plainListener(server), emptySnapshot, question))
  server.close()
  return answer.what
}

const unknown = 'the answer is not known here'
const two = '.:53 {\n  errors\n  forward example.org 192.0.2.53\n  forward . 192.0.2.1 192.0.2.2\n  cache\n}\n'

test.each([
  ['kubeadm forwards names of elsewhere', 'www.example.org', undefined, `forwarded to /etc/resolv.conf, ${unknown}`],
  ['names of the cluster are answered', 'tea.shop.svc.cluster.local', undefined, 'NXDOMAIN'],
  ['the block that takes the name is named', 'www.example.org', two, `forwarded to 192.0.2.53, ${unknown}`],
  ['with all its servers', 'www.example.com', two, `forwarded to 192.0.2.1 or 192.0.2.2, ${unknown}`],
  ['who forwards nothing fails', 'www.example.org', '.:53 {\n  hosts {\n    fallthrough\n  }\n}\n', 'SERVFAIL'],
])('%s', async (_, name, corefile, expected) => {
  expect(await what(name, corefile)).toBe(`A ${name}. → ${expected}`)
})

test('an alias of a name of elsewhere says where its chain ends', async () => {
  const away = service('shop/away', { type: 'ExternalName', externalName: 'api.example.com' })
  const snapshot = snapshotOf([away, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }])
  const { server } = startClusterDns(snapshot, corefileOf(snapshot))
  const question = { name: 'away.shop.svc.cluster.local', type: 'A', client: '' }
  const { tried } = await askName(plainListener(server), snapshot, question)
  server.close()
  expect(tried.map(({ explanation }) => [explanation.outcome, explanation.openAlias])).toEqual([
    ['records', 'api.example.com.'],
  ])
  expect(aliasHints(tried[0]?.explanation)[0]?.what).toContain('api.example.com.')
})

test('the zone names its own servers by the Service of the cluster', async () => {
  const dns = service('kube-system/kube-dns', { clusterIP: '10.96.0.10', clusterIPs: ['10.96.0.10'] })
  const snapshot = snapshotOf([namespace('kube-system'), dns, endpointSlice('kube-system/kube-dns', ['10.244.1.53'])])
  const { server } = startClusterDns(snapshot, corefileOf(snapshot))
  const { tried } = await askName(plainListener(server), snapshot, { name: 'cluster.local', type: 'NS', client: '' })
  server.close()
  expect(tried[0]?.explanation.what).toContain('IN NS kube-dns.kube-system.svc.cluster.local.')
})

test.each([
  ['a label over 63 octets', `${'a'.repeat(70)}.shop`, /label of at most 63 octets, found "a+…" with 70/],
  ['a name over 253 octets', 'abcdefghi.'.repeat(26), /name of at most 253 octets, found one with 259/],
  ['an empty label', 'tea..shop', /no empty label/],
])('%s is no question', async (_, name, expected) => {
  await expect(what(name)).rejects.toThrow(expected)
})
