// What a CommonJS module of somebody else does with the installed packages: `require` of ES modules.
const { snapshotOf } = require('@kubewire/kube-model')
const { service } = require('@kubewire/kube-model/testing')
const { buildRuleset, proxyOptions } = require('@kubewire/iptables-gen')
const { translateIngresses } = require('@kubewire/nginx-gen')
const { createDnsServer } = require('@kubewire/dns-core')
const { createInformer } = require('@kubewire/informer')
const { createMetrics } = require('@kubewire/daemon-kit')
const { createMiniApiServer } = require('@kubewire/mini-apiserver')

for (const value of [createDnsServer, createInformer, createMetrics, createMiniApiServer]) {
  if (typeof value !== 'function') throw new Error(`expected a function, found ${typeof value}`)
}
const snapshot = snapshotOf([service('shop/tea', { clusterIP: '10.96.4.4' })])
const { ruleset } = buildRuleset(snapshot, proxyOptions({ family: 4, nodeName: 'node-1' }))
const { value: model } = translateIngresses(snapshot)
console.log(Object.keys(ruleset.tables).length > 0, model.servers.length > 0)
