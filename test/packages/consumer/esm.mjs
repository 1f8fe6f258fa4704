// What an ES module of somebody else does with the installed packages.
import { createDnsServer } from '@kubewire/dns-core'
import { isDnsCase } from '@kubewire/dns-core/cases'
import { parseCorefile } from '@kubewire/dns-core/corefile'
import { dnsOf } from '@kubewire/dns-core/testing'
import { createInformer } from '@kubewire/informer'
import { Services } from '@kubewire/informer/resources'
import { buildRuleset, proxyOptions } from '@kubewire/iptables-gen'
import { isProxyCase } from '@kubewire/iptables-gen/cases'
import { createDescribePackets } from '@kubewire/iptables-gen/testing'
import { snapshotOf } from '@kubewire/kube-model'
import { parseManifests } from '@kubewire/kube-model/manifest'
import { namespace, service } from '@kubewire/kube-model/testing'
import { createMiniApiServer } from '@kubewire/mini-apiserver'
import { translateIngresses } from '@kubewire/nginx-gen'
import { isIngressCase } from '@kubewire/nginx-gen/cases'

const functions = {
  createDnsServer,
  isDnsCase,
  parseCorefile,
  createInformer,
  isProxyCase,
  createDescribePackets,
  createMiniApiServer,
  isIngressCase,
  parseManifests,
}
for (const [name, value] of Object.entries(functions))
  if (typeof value !== 'function') throw new Error(`${name} is ${typeof value}`)
if (Services.plural !== 'services') throw new Error('the resource Services has another name')

const objects = [namespace('shop'), service('shop/tea', { clusterIP: '10.96.4.4', clusterIPs: ['10.96.4.4'] })]
const reply = await dnsOf(objects).ask('tea.shop.svc.cluster.local. A')
const { ruleset } = buildRuleset(snapshotOf(objects), proxyOptions({ family: 4, nodeName: 'node-1' }))
const { value: model } = translateIngresses(snapshotOf(objects))
console.log(reply.rcode, Object.keys(ruleset.tables).length > 0, model.servers.length > 0)
