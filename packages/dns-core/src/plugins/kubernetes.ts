// The kubernetes plugin: names of Services, endpoints and pods of a cluster. This file reads its directive and joins
// index, lookup and fallthrough; what names mean stands in `kube/`.

import { type LookupResult, lookupZone, type ZoneLookup } from '../kube/lookup.ts'
import { soaRecord } from '../kube/soa.ts'
import { createZoneIndex, type ZoneIndex } from '../kube/zone-index.ts'
import { listZone } from '../kube/zone-listing.ts'
import { foldName, joinName, longestZone, type Name } from '../name.ts'
import { failed, next, type Outcome, replied, whenReady } from '../outcome.ts'
import { definePlugin, type Plugin, type PluginDefinition, type Ports } from '../plugin.ts'
import type { Query } from '../query.ts'
import { rcode } from '../record-types.ts'
import { authoritativeReply } from '../reply.ts'
import { configureKubernetes, type KubernetesConfig, kubernetesProperties } from './kubernetes-config.ts'
import { kubernetesMetadata } from './kubernetes-metadata.ts'
import { fallsThrough } from './zone-arguments.ts'

export const kubernetes: PluginDefinition<KubernetesConfig> = definePlugin({
  name: 'kubernetes',
  summary: 'Answers the names of a cluster: services, endpoints, pods and their reverse names.',
  syntax: '[ZONES...]',
  args: { min: 0, max: Number.POSITIVE_INFINITY },
  properties: kubernetesProperties,
  isOnce: true,
  configure: configureKubernetes,
  create: (config, ports) => createKubernetes(config, ports),
})

/** A kubernetes plugin with the parts that other plugins and shells look into. */
export interface KubernetesPlugin extends Plugin {
  readonly index: ZoneIndex
  readonly config: KubernetesConfig
}

/** Whether a plugin is the kubernetes plugin. */
export function isKubernetes(plugin: Plugin): plugin is KubernetesPlugin {
  return 'index' in plugin && 'config' in plugin
}

function createKubernetes(config: KubernetesConfig, ports: Ports): KubernetesPlugin {
  const { options } = config
  const index = createZoneIndex({ keepsZones: options.hasZonalNames })
  const localAddresses = ports.localAddresses()
  const watch = ports.watchCluster(config.watch, index)
  const search = searchDomains(ports.readFile('/etc/resolv.conf') ?? '')
  return {
    index,
    config,
    handle(query, context) {
      const zone = longestZone(options.zones, foldName(query.name))
      if (zone === undefined) return next
      const askedZone = zone === '.' ? '.' : query.name.slice(query.name.length - zone.length)
      const at: ZoneLookup = { index, options, localAddresses, zone, askedZone, lookup: context.lookup }
      return whenReady(lookupZone(at, query), (result) => outcomeOf(result, at, config, query))
    },
    isReady: () => index.hasSynced(),
    searchPath(query) {
      const zone = longestZone(options.zones, foldName(query.name))
      if (zone === undefined || options.podMode !== 'verified') return []
      for (const pod of index.podsByAddress(query.client.address)) {
        const inCluster = [joinName(`${pod.namespace}.svc`, zone), joinName('svc', zone), zone]
        return [...inCluster, ...search, '']
      }
      return []
    },
    transfer(zone) {
      // COMPAT: a name below a zone is transferred as if it were a zone of its own (CoreDNS plugin/kubernetes/xfr.go).
      return longestZone(options.zones, zone) === undefined ? undefined : listZone(index, options, zone, localAddresses)
    },
    metadata: (query, labels) => kubernetesMetadata(index, options, query, labels),
    close: () => watch.close(),
    isTransparent: true,
  }
}

function outcomeOf(result: LookupResult, at: ZoneLookup, config: KubernetesConfig, query: Query): Outcome {
  const soa = (): Outcome & { kind: 'reply' } => ({
    kind: 'reply',
    reply: authoritativeReply([], [], [soaRecord(at.index, at.options, at.zone, at.askedZone)]),
  })
  switch (result.kind) {
    case 'records':
      return replied({ ...authoritativeReply(result.answer, result.additional), truncated: result.truncated })
    case 'nodata':
      return soa()
    case 'nxdomain': {
      if (fallsThrough(config.fallthrough, query.name)) return next
      const code = at.index.hasSynced() ? rcode.NXDOMAIN : rcode.SERVFAIL
      return replied({ ...soa().reply, rcode: code })
    }
    case 'refused':
      return failed(rcode.REFUSED)
  }
}

/** The last `search` line of a resolv.conf, as absolute names. */
function searchDomains(resolvConf: string): Name[] {
  const lines = resolvConf.split('\n').map((line) => line.trim().split(/\s+/))
  const last = lines.filter(([word]) => word === 'search').pop() ?? []
  return last.slice(1).map((domain) => (domain.endsWith('.') ? domain : `${domain}.`))
}
