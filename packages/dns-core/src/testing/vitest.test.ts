import { endpointSlice, namespace, service } from '@kubewire/kube-model/testing'
import { describe, expect, it } from 'vitest'
import { dnsOf } from './dns-of.ts'
import './vitest.ts'

const dns = dnsOf([
  namespace('shop'),
  service('shop/tea', { clusterIP: '10.96.4.4', clusterIPs: ['10.96.4.4'] }),
  endpointSlice('shop/tea', ['10.244.1.11']),
])

describe('toAnswer', () => {
  it('holds for the records of a Service, in any order', async () => {
    await expect(dns).toAnswer('tea.shop.svc.cluster.local. A', ['tea.shop.svc.cluster.local. 5 IN A 10.96.4.4'])
  })

  it('holds for the keys of a scenario', async () => {
    await expect(dns).toAnswer('tee.shop.svc.cluster.local. A', { rcode: 'NXDOMAIN', aa: true, answer: [] })
  })

  it('fails with what was found', async () => {
    const wrong = expect(dns).toAnswer('tea.shop.svc.cluster.local. A', [
      'tea.shop.svc.cluster.local. 5 IN A 10.96.4.5',
    ])
    await expect(wrong).rejects.toThrow(/expected \[.*10\.96\.4\.5\].*got also \[.*10\.96\.4\.4\]\nfound NOERROR/s)
  })

  it('can be turned round', async () => {
    await expect(dns).not.toAnswer('tea.shop.svc.cluster.local. A', { rcode: 'NXDOMAIN' })
    const wrong = expect(dns).not.toAnswer('tee.shop.svc.cluster.local. A', { rcode: 'NXDOMAIN' })
    await expect(wrong).rejects.toThrow(/expected another answer, found\n {2}NXDOMAIN/)
  })

  it('asks the Corefile that is given', async () => {
    const corefile = '. {\n    template IN A { answer "{{ .Name }} 60 IN A 192.0.2.1" }\n}\n'
    await expect(dnsOf([], { corefile: corefile.replace('. {', '.:53 {') })).toAnswer('a.example. A', [
      'a.example. 60 IN A 192.0.2.1',
    ])
  })
})
