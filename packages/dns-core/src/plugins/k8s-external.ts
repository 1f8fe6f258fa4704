// Names outside the cluster's zone for services with external addresses (CoreDNS plugin/k8s_external). The objects are
// those of the kubernetes plugin of the same block.

import type { Directive } from '../corefile/directive.ts'
import { noPort } from '../kube/cluster-objects.ts'
import { endpointName } from '../kube/endpoint-name.ts'
import { recordFamily } from '../kube/go-ip.ts'
import { addressOfReverseName } from '../kube/reverse.ts'
import type { ZoneIndex } from '../kube/zone-index.ts'
import { isExposed, type ZoneOptions } from '../kube/zone-options.ts'
import { foldName, isUnder, joinName, labelsOf, longestZone, type Name } from '../name.ts'
import { next, type Outcome, replied } from '../outcome.ts'
import { type ConfigureInput, definePlugin, type Plugin, type PluginDefinition, type Ports } from '../plugin.ts'
import type { Query } from '../query.ts'
import { addressRecord, type DnsRecord, nameRecord, srvRecord } from '../record.ts'
import { rcode, rrClass, rrType } from '../record-types.ts'
import { authoritativeReply } from '../reply.ts'
import { isKubernetes } from './kubernetes.ts'
import { fallsThrough, fallthroughZones, integerArgument, zonesOrBlock } from './zone-arguments.ts'

interface ExternalConfig {
  readonly zones: readonly Name[]
  readonly apex: string
  readonly ttlSeconds: number
  readonly hasHeadless: boolean
  readonly fallthrough: readonly Name[]
}

export const k8sExternal: PluginDefinition<ExternalConfig> = definePlugin({
  name: 'k8s_external',
  summary: 'Names of services with external addresses below a zone of its own.',
  syntax: '[ZONE...]',
  args: { min: 0, max: Number.POSITIVE_INFINITY },
  properties: {
    apex: { min: 1, max: 1, syntax: 'NAME', summary: 'Label of the name servers, default dns.' },
    ttl: { min: 1, max: 1, syntax: 'TTL', summary: 'TTL of records in seconds, default 5.' },
    headless: { min: 0, max: 0, syntax: '', summary: 'Headless services have names, too.' },
    fallthrough: { min: 0, max: 99, syntax: '[ZONES...]', summary: 'Names that do not exist go on.' },
  },
  configure: configureExternal,
  create: createExternal,
})

function configureExternal(input: ConfigureInput): ExternalConfig {
  const lines = input.directives.flatMap((directive) => directive.block ?? [])
  const last = (name: string): Directive | undefined => lines.filter((line) => line.name.text === name).pop()
  const ttl = last('ttl')
  const ttlSeconds = integerArgument(input, ttl?.args[0]) ?? 5
  if (ttl !== undefined && (ttlSeconds < 0 || ttlSeconds > 3600)) {
    input.fail(`ttl must be in range [0, 3600]: ${ttlSeconds}`, ttl.end)
  }
  return {
    zones: zonesOrBlock(input, input.directives[0]?.args ?? []),
    apex: last('apex')?.args[0]?.text ?? 'dns',
    ttlSeconds,
    hasHeadless: last('headless') !== undefined,
    fallthrough: lines
      .filter((line) => line.name.text === 'fallthrough')
      .flatMap((line) => fallthroughZones(input, line)),
  }
}

interface Source {
  readonly index: ZoneIndex
  readonly options: ZoneOptions
}

function createExternal(config: ExternalConfig, ports: Ports): Plugin {
  let source: Source | undefined
  const addresses = ports.localAddresses()
  return {
    join(plugins) {
      const plugin = plugins.find(({ plugin: other }) => isKubernetes(other))?.plugin
      if (plugin !== undefined && isKubernetes(plugin)) source = { index: plugin.index, options: plugin.config.options }
    },
    handle(query) {
      const name = foldName(query.name)
      const zone = longestZone(config.zones, name)
      if (zone === undefined || source === undefined) return next
      const soa = soaOf(source, config, zone)
      if (name === zone) return apexReply(config, query, zone, soa, addresses)
      if (isUnder(`${config.apex}.${zone}`, name)) return serverReply(config, query, name, zone, soa, addresses)
      return namesReply(source, config, query, name, zone, soa)
    },
  }
}

function soaOf({ index }: Source, { apex, ttlSeconds }: ExternalConfig, zone: Name): DnsRecord {
  const data = {
    kind: 'soa',
    mname: joinName(`ns1.${apex}`, zone),
    rname: joinName(`hostmaster.${apex}`, zone),
    serial: index.serials.external,
    refreshSeconds: 7200,
    retrySeconds: 1800,
    expireSeconds: 86400,
    minimumSeconds: ttlSeconds,
  } as const
  return { name: zone, type: rrType.SOA, class: rrClass.IN, ttlSeconds, data }
}

function apexReply(
  config: ExternalConfig,
  query: Query,
  zone: Name,
  soa: DnsRecord,
  addresses: readonly string[],
): Outcome {
  const { apex, ttlSeconds } = config
  if (query.type === rrType.SOA) return replied(authoritativeReply([soa]))
  if (query.type !== rrType.NS) return replied(authoritativeReply([], [], [soa]))
  const server = joinName(`ns1.${apex}`, zone)
  const glue = addresses.map((address) => addressRecord(server, ttlSeconds, address))
  return replied(authoritativeReply([nameRecord(zone, rrType.NS, ttlSeconds, server)], glue))
}

/** `dns.ZONE` exists and is empty, `ns1.dns.ZONE` has the server's addresses, nothing else is there. */
function serverReply(
  config: ExternalConfig,
  query: Query,
  name: Name,
  zone: Name,
  soa: DnsRecord,
  addresses: readonly string[],
): Outcome {
  const labels = labelsOf(name.slice(0, name.length - zone.length))
  const isServer = labels.length === 2 && labels[0] === 'ns1'
  const answer = addresses
    .map((address) => addressRecord(query.name, config.ttlSeconds, address))
    .filter((record) => isServer && record.type === query.type)
  const reply = authoritativeReply(answer, [], answer.length === 0 ? [soa] : [])
  return replied(isServer || labels.length === 1 ? reply : { ...reply, rcode: rcode.NXDOMAIN })
}

interface ExternalEntry {
  readonly host: string
  readonly port: number
  readonly target: Name
}

function namesReply(
  source: Source,
  config: ExternalConfig,
  query: Query,
  name: Name,
  zone: Name,
  soa: DnsRecord,
): Outcome {
  const reverse = query.type === rrType.PTR ? addressOfReverseName(name) : undefined
  if (reverse !== undefined) return reverseReply(source, config, query, reverse, soa)
  const found = entriesOf(source, config, name, zone)
  const exists = found !== undefined
  if (!exists && fallsThrough(config.fallthrough, name)) return next
  const { answer, additional } = query.type === rrType.PTR ? nothing : recordsOf(found ?? [], config, query)
  const reply = authoritativeReply(answer, additional, answer.length === 0 ? [soa] : [])
  return replied(exists ? reply : { ...reply, rcode: rcode.NXDOMAIN })
}

const nothing = { answer: [], additional: [] } as const

/** Entries of `[ENDPOINT.|_PORT._PROTO.]SVC.NS`; `undefined` when the name does not exist. */
function entriesOf(
  { index, options }: Source,
  config: ExternalConfig,
  name: Name,
  zone: Name,
): ExternalEntry[] | undefined {
  const labels = labelsOf(name.slice(0, name.length - zone.length))
  const [namespace = '', serviceName, first, second, tooLong] = [...labels].reverse()
  if (!isExposed(index, options, namespace) || tooLong !== undefined) return undefined
  if (serviceName === undefined) return []
  const service = index.service(namespace, serviceName)
  if (service === undefined) return undefined
  const plain = (label: string | undefined): string => (label ?? '').replace(/^_/, '')
  const [endpoint, protocol, port] = second === undefined ? [plain(first), '', ''] : ['', plain(first), plain(second)]
  const fits = (one: { readonly name: string; readonly protocol: string }): boolean =>
    (port === '' || port === one.name.toLowerCase()) && (protocol === '' || protocol === one.protocol.toLowerCase())
  const target = joinName(`${service.name}.${service.namespace}`, zone)
  const isHeadless = service.externalAddresses.length === 0 && (service.kind === 'headless' || endpoint !== '')
  const entries =
    config.hasHeadless && isHeadless
      ? [...index.slices(namespace, serviceName)].flatMap((slice) =>
          slice.addresses
            .map((address) => ({ address: address.address, label: endpointName(address, options.usesPodNames) }))
            .filter(({ label }) => endpoint === '' || label.toLowerCase() === endpoint)
            .flatMap(({ address, label }) =>
              slice.ports.filter(fits).map((one) => ({ host: address, port: one.port, target: `${label}.${target}` })),
            ),
        )
      : service.externalAddresses.flatMap((host) =>
          service.ports.filter(fits).map((one) => ({ host, port: one.port, target })),
        )
  return entries.length === 0 ? undefined : entries
}

function recordsOf(
  entries: readonly ExternalEntry[],
  { ttlSeconds }: ExternalConfig,
  query: Query,
): { readonly answer: readonly DnsRecord[]; readonly additional: readonly DnsRecord[] } {
  const family = query.type === rrType.A ? 'A' : 'AAAA'
  switch (query.type) {
    case rrType.A:
    case rrType.AAAA: {
      const hosts = new Set(entries.map((entry) => entry.host).filter((host) => recordFamily(host) === family))
      return { answer: [...hosts].map((host) => addressRecord(query.name, ttlSeconds, host)), additional: [] }
    }
    case rrType.SRV: {
      const weight = Math.max(1, Math.floor(100 / entries.length))
      const usable = entries.filter(({ port, host }) => port !== noPort && recordFamily(host) !== 'name')
      const answer = new Map(
        usable.map(({ port, target }) => [
          `${target} ${port}`,
          srvRecord(query.name, ttlSeconds, weight, port, target),
        ]),
      )
      const glue = new Map(
        usable.map(({ host, target }) => [`${target} ${host}`, addressRecord(target, ttlSeconds, host)]),
      )
      return { answer: [...answer.values()], additional: [...glue.values()] }
    }
    default:
      return nothing
  }
}

/** Services that have the address as an external one; their names stand below the first zone. */
function reverseReply(
  { index, options }: Source,
  config: ExternalConfig,
  query: Query,
  address: string,
  soa: DnsRecord,
): Outcome {
  const [zone = '.'] = config.zones
  for (const service of index.servicesByExternalAddress(address)) {
    if (options.namespaces.size > 0 && !isExposed(index, options, service.namespace)) continue
    const target = joinName(`${service.name}.${service.namespace}`, zone)
    return replied(authoritativeReply([nameRecord(query.name, rrType.PTR, config.ttlSeconds, target)]))
  }
  return replied({ ...authoritativeReply([], [], [soa]), rcode: rcode.NXDOMAIN })
}
