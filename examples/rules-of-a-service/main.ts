// Which rules does a Service become, and what happens to a packet that meets them? No cluster, no root.

import { buildRuleset, explainPacket, printRestore, proxyOptions, simulatePacket } from '@kubewire/iptables-gen'
import { parseCidr, parseIp, printExplanation, snapshotOf } from '@kubewire/kube-model'
import { parseManifests } from '@kubewire/kube-model/manifest'

const manifests = `
apiVersion: v1
kind: Service
metadata: { name: tea, namespace: shop }
spec: { clusterIP: 10.96.4.4, clusterIPs: [10.96.4.4], ports: [{ name: http, port: 80, targetPort: 8080 }] }
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: tea-1, namespace: shop, labels: { kubernetes.io/service-name: tea } }
addressType: IPv4
ports: [{ name: http, port: 8080, protocol: TCP }]
endpoints: [{ addresses: [10.244.1.5] }, { addresses: [10.244.2.7] }]
`
const { objects } = parseManifests(manifests, 'tea.yaml')
const snapshot = snapshotOf(objects)
const { ruleset } = buildRuleset(snapshot, proxyOptions({ family: 4, nodeName: 'node-1' }))

const services = printRestore(ruleset)
  .split('\n')
  .filter((line) => line.includes('shop/tea'))
console.log(services.join('\n'))

const [source, destination, loopback] = [parseIp('10.244.1.5'), parseIp('10.96.4.4'), parseCidr('127.0.0.0/8')]
if (!source || !destination || !loopback) throw new Error('an address does not parse')
const packet = { entry: 'arriving', protocol: 'tcp', source, destination, destinationPort: 80 } as const
const trace = simulatePacket(ruleset, packet, { localAddresses: [loopback] })
console.log(`\n${printExplanation(explainPacket(trace))}`)
