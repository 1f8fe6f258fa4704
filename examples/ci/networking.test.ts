// Matchers for names, packets and requests over the manifests of examples/shop, as a CI job runs them.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dnsOf } from '@kubewire/dns-core/testing'
import { parseManifests } from '@kubewire/kube-model/manifest'
import { ingressOf } from '@kubewire/nginx-gen/testing'
import { describe, expect, it } from 'vitest'
import '@kubewire/dns-core/testing/vitest'
import '@kubewire/iptables-gen/testing/vitest'
import '@kubewire/nginx-gen/testing/vitest'

const folder = join(import.meta.dirname, '../shop')
const objects = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .flatMap((name) => parseManifests(readFileSync(join(folder, name), 'utf8'), name).objects)

describe('names', () => {
  const dns = dnsOf(objects)

  it('orders has an address in the cluster', async () => {
    await expect(dns).toAnswer('orders.shop.svc.cluster.local. A', ['orders.shop.svc.cluster.local. 5 IN A 10.96.10.4'])
  })

  it('a name that nobody has is refused at once', async () => {
    await expect(dns).toAnswer('order.shop.svc.cluster.local. A', { rcode: 'NXDOMAIN' })
  })
})

describe('packets on node-1', () => {
  const node = { objects, node: 'node-1' }

  it('only the ready endpoint of orders gets requests', () => {
    expect(node).toDeliver('10.244.1.200', '10.96.10.4:80', '10.244.1.31:8080')
  })

  it('kiosk sees who its clients are', () => {
    expect(node).toDeliver('192.0.2.99', '203.0.113.20:80', '10.244.1.61:8080', { isSourceRewritten: false })
  })

  it('partner is open to the partner and closed to everybody else', () => {
    expect(node).toDeliver('198.51.100.7', '203.0.113.21:80', '10.244.1.71:8080')
    expect(node).toDeliver('192.0.2.99', '203.0.113.21:80', 'dropped')
  })
})

describe('requests', () => {
  const front = ingressOf(objects)

  it('the shop is served by its Services', () => {
    expect(front).toServe('https://shop.example.org/coffee', 'backend shop/coffee')
  })

  it('plain http is led to https', () => {
    expect(front).toServe('http://shop.example.org/coffee', '308 https://shop.example.org/coffee')
  })
})
