// Which names does a Service get, and why does a question get its answer? No cluster, no socket.

import {
  createDnsServer,
  explainQuery,
  listClusterZones,
  plainPorts,
  printZone,
  queryOf,
  rrType,
} from '@kubewire/dns-core'
import { noSurroundings, serverPlans } from '@kubewire/dns-core/corefile'
import { printExplanation, snapshotOf } from '@kubewire/kube-model'
import { endpointSlice, namespace, service } from '@kubewire/kube-model/testing'

const snapshot = snapshotOf([
  namespace('shop'),
  service('shop/tea', { clusterIP: '10.96.4.4', clusterIPs: ['10.96.4.4'] }),
  service('shop/carts', { clusterIP: 'None', clusterIPs: ['None'] }),
  endpointSlice('shop/carts', [{ addresses: ['10.244.1.5'], hostname: 'carts-0', conditions: { ready: true } }]),
])
const corefile = `
. {
    errors
    hosts {
        192.0.2.80 www.example.org
        fallthrough
    }
    kubernetes cluster.local
}`
const { value, problems } = serverPlans(corefile, {
  fileName: 'Corefile',
  root: '.',
  defaultPort: 53,
  surroundings: noSurroundings,
})
const server = createDnsServer(value, plainPorts({ snapshot }))
const [listener] = server.listeners
if (listener === undefined) throw new Error(`no listener: ${JSON.stringify(problems)}`)

for (const zone of listClusterZones(server)) console.log(printZone(zone))
for (const name of ['carts-0.carts.shop.svc.cluster.local.', 'www.example.org.', 'milk.shop.svc.cluster.local.']) {
  console.log(printExplanation(await explainQuery(listener, queryOf(name, rrType.A))))
}
