// What TypeScript of somebody else sees of the installed packages; compiled under two kinds of module resolution.

import { createDnsServer, type DnsServer } from '@kubewire/dns-core'
import { type DnsUnderTest, dnsOf } from '@kubewire/dns-core/testing'
import { createInformer } from '@kubewire/informer'
import { buildRuleset, proxyOptions, type Ruleset } from '@kubewire/iptables-gen'
import { type Explanation, printExplanation, type Service, snapshotOf } from '@kubewire/kube-model'
import { service } from '@kubewire/kube-model/testing'
import { createMiniApiServer, type MiniApiServer } from '@kubewire/mini-apiserver'
import { type Model, translateIngresses } from '@kubewire/nginx-gen'

const tea: Service = service('shop/tea', { clusterIP: '10.96.4.4' })
const snapshot = snapshotOf([tea])
export const ruleset: Ruleset = buildRuleset(snapshot, proxyOptions({ family: 4, nodeName: 'node-1' })).ruleset
export const model: Model = translateIngresses(snapshot).value
export const dns: DnsUnderTest = dnsOf([tea])
export const told: string = printExplanation({ where: 'a', what: 'b' } satisfies Explanation)
export const makers: readonly [typeof createDnsServer, typeof createInformer, () => Promise<MiniApiServer>] = [
  createDnsServer,
  createInformer,
  () => createMiniApiServer({}),
]
export type Answering = DnsServer
// @ts-expect-error a family is 4 or 6: types are not lost on the way
proxyOptions({ family: 5, nodeName: 'node-1' })
