// A table of packets against your own manifests, as a CI job runs it: no cluster, no root, milliseconds.
// Under vitest or node:test hand over their `describe` and `test` in place of the two below.

import { readdirSync, readFileSync } from 'node:fs'
import { createDescribePackets } from '@kubewire/iptables-gen/testing'
import { parseManifests } from '@kubewire/kube-model/manifest'

const folder = '../shop'
const objects = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .flatMap((name) => parseManifests(readFileSync(`${folder}/${name}`, 'utf8'), name).objects)

const describePackets = createDescribePackets({
  describe: (title, body) => {
    console.log(title)
    body()
  },
  test: (name, body) => {
    body() // throws with the way of the packet when a row is wrong
    console.log(`  ok: ${name}`)
  },
})

describePackets('the shop on node-1', { objects, node: 'node-1' }, [
  // from           to                  lands on                               source rewritten
  ['10.244.1.200', '10.96.10.4:80', '10.244.1.31:8080', false, 'only the ready endpoint of orders gets requests'],
  ['10.244.1.200', '10.96.10.7:80', 'rejected', false, 'nobody is behind archive, and clients hear so at once'],
  ['192.0.2.99', '203.0.113.20:80', '10.244.1.61:8080', false, 'kiosk sees who its clients are'],
  ['192.0.2.99', '203.0.113.21:80', 'dropped', false, 'partner is closed to strangers'],
  ['198.51.100.7', '203.0.113.21:80', '10.244.1.71:8080', true, 'and open to the partner'],
])
