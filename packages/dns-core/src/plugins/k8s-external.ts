// Names outside the cluster's zone for services with external addresses (CoreDNS plugin/k8s_external). The objects are
// those of the kubernetes plugin of the same block.

import type { Directive } from '../corefile/directive.ts'
import {
  type ExternalEntry,
  type ExternalSource,
  externalAddresses,
  externalAliases,
  externalEntries,
  externalServices,
} from '../kube/external-entries.ts'
import { listExternal } from '../kube/external-listing.ts'
import { externalServerAddresses } from '../kube/name-servers.ts'
import { addressOfReverseName } from '../kube/reverse.ts'
import { isExposed } from '../kube/zone-options.ts'
import { foldName, isUnder, joinName, labelsOf, longestZone, type Name } from '../name.ts'
import { type Eventually, next, type Outcome, replied, whenReady } from '../outcome.ts'
import {
  type ConfigureInput,
  type Context,
  definePlugin,
  type Plugin,
  type PluginDefinition,
  type Ports,
} from '../plugin.ts'
import { askingFor, type Query } from '../query.ts'
import { addressRecord, type DnsRecord, nameRecord, targetOf } from '../record.ts'
import { rcode, rrClass, rrType } from '../record-types.ts'
import { authoritativeReply, type Reply } from '../reply.ts'
import { isKubernetes } from './kubernetes.ts'
import { fallsThrough, fallthroughZones, plainInteger, zonesOrBlock } from './zone-arguments.ts'

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
    apex: { min: 1, max: 99, syntax: 'NAME', summary: 'Label of the name servers, default dns.' },
    ttl: { min: 1, max: 99, syntax: 'TTL', summary: 'TTL of address records in seconds, default 5.' },
    headless: { min: 0, max: 0, readsOn: true, syntax: '', summary: 'Headless services have names, too.' },
    fallthrough: { min: 0, max: 99, syntax: '[ZONES...]', summary: 'Names that do not exist go on.' },
  },
  configure: configureExternal,
  create: createExternal,
})

function configureExternal(input: ConfigureInput): ExternalConfig {
  const lines = input.directives.flatMap((directive) => directive.block ?? [])
  const last = (name: string): Directive | undefined => lines.filter((line) => line.name.text === name).pop()
  const ttl = last('ttl')
  const ttlSeconds = plainInteger(input, ttl?.args[0]) ?? 5
  if (ttl !== undefined && (ttlSeconds < 0 || ttlSeconds > 3600)) {
    input.fail(`ttl must be in range [0, 3600]: ${ttlSeconds}`, ttl.end)
  }
  return {
    zones: zonesOrBlock(input, input.directives[input.directives.length - 1]?.args ?? []),
    apex: last('apex')?.args[0]?.text ?? 'dns',
    ttlSeconds,
    hasHeadless: last('headless') !== undefined,
    fallthrough: lines
      .filter((line) => line.name.text === 'fallthrough')
      .flatMap((line) => fallthroughZones(input, line)),
  }
}

function createExternal(config: ExternalConfig, ports: Ports): Plugin {
  let source: ExternalSource | undefined
  const localAddresses = ports.localAddresses()
  const servers = (known: ExternalSource): readonly string[] =>
    externalServerAddresses(known.index, config.hasHeadless, localAddresses)
  return {
    join(plugins) {
      const plugin = plugins.find(({ plugin: other }) => isKubernetes(other))?.plugin
      if (plugin === undefined || !isKubernetes(plugin)) return
      const { hasHeadless, ttlSeconds } = config
      source = { index: plugin.index, options: plugin.config.options, hasHeadless, ttlSeconds }
    },
    get startError() {
      return source === undefined ? 'kubernetes plugin not loaded' : undefined
    },
    handle(query, context) {
      const name = foldName(query.name)
      const zone = longestZone(config.zones, name)
      if (zone === undefined || source === undefined) return next
      const soa = soaOf(source, config, zone)
      if (config.zones.includes(name)) return apexReply(config, query, zone, soa, servers(source))
      if (isUnder(`${config.apex}.${zone}`, name)) return serverReply(config, query, name, zone, soa, servers(source))
      return namesReply(source, config, query, name, zone, soa, context)
    },
    takesLaterSerials: true,
    transfer(zone) {
      if (source === undefined || !config.zones.includes(zone)) return undefined
      const server = joinName(`ns1.${config.apex}`, zone)
      return [
        soaOf(source, config, zone),
        nameRecord(zone, rrType.NS, config.ttlSeconds, server),
        ...servers(source).map((address) => addressRecord(server, config.ttlSeconds, address)),
        ...listExternal(source, zone),
      ]
    },
  }
}

function soaOf({ index }: ExternalSource, { apex, ttlSeconds }: ExternalConfig, zone: Name): DnsRecord {
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
  const glue = addresses.map((address) => addressRecord(joinName(`ns1.${apex}`, query.name), ttlSeconds, address))
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

function namesReply(
  source: ExternalSource,
  config: ExternalConfig,
  query: Query,
  name: Name,
  zone: Name,
  soa: DnsRecord,
  context: Context,
): Eventually<Outcome> {
  const reverse = query.type === rrType.PTR ? addressOfReverseName(name) : undefined
  if (reverse !== undefined) return reverseReply(source, config, query, reverse, soa)
  const entries = externalEntries(source, name, zone)
  if (entries === undefined && fallsThrough(config.fallthrough, name)) return next
  if (entries === undefined) return replied({ ...authoritativeReply([], [], [soa]), rcode: rcode.NXDOMAIN })
  return whenReady(recordsReply(source, entries, query, context), (reply) =>
    replied(reply.answer.length === 0 ? authoritativeReply([], [], [soa]) : reply),
  )
}

function recordsReply(
  source: ExternalSource,
  entries: readonly ExternalEntry[],
  query: Query,
  context: Context,
): Eventually<Reply> {
  switch (query.type) {
    case rrType.A:
    case rrType.AAAA: {
      const own = externalAddresses(source, entries, query.name, query.type === rrType.A ? 'A' : 'AAAA')
      const aliases = externalAliases(source, entries, query.name)
      const targets = aliases.map((record) => targetOf(record) ?? '.')
      return whenReady(lookUpAll(targets, [query.type], query, context), (replies) => {
        const found = aliases.flatMap((record, i) => [record, ...(replies[i]?.answer ?? [])])
        const truncated = replies.some((reply) => reply?.truncated === true)
        return { ...authoritativeReply([...own, ...found]), truncated }
      })
    }
    case rrType.SRV: {
      const { answer, additional, hosts } = externalServices(source, entries, query.name)
      return whenReady(lookUpAll(hosts, [rrType.A, rrType.AAAA], query, context), (replies) =>
        authoritativeReply(answer, [...additional, ...replies.flatMap((reply) => reply?.answer ?? [])]),
      )
    }
    default:
      return authoritativeReply([])
  }
}

/** Asks the server for every name and type, one after the other. */
function lookUpAll(
  names: readonly Name[],
  types: readonly number[],
  query: Query,
  context: Context,
): Eventually<readonly (Reply | undefined)[]> {
  const questions = names.flatMap((name) => types.map((type) => askingFor(query, name, type)))
  return questions.reduce<Eventually<readonly (Reply | undefined)[]>>(
    (before, question) =>
      whenReady(before, (replies) => whenReady(context.lookup(question), (reply) => replies.concat([reply]))),
    [],
  )
}

/** Services that have the address as an external one; their names stand below the first zone. */
function reverseReply(
  { index, options }: ExternalSource,
  config: ExternalConfig,
  query: Query,
  address: string,
  soa: DnsRecord,
): Outcome {
  const [zone = '.'] = config.zones
  const names = [...index.servicesByExternalAddress(address)]
    .filter(({ namespace }) => options.namespaces.size === 0 || isExposed(index, options, namespace))
    .map((service) => joinName(`${service.name}.${service.namespace}`, zone))
  if (names.length === 0 && fallsThrough(config.fallthrough, foldName(query.name))) return next
  if (names.length === 0) return replied({ ...authoritativeReply([], [], [soa]), rcode: rcode.NXDOMAIN })
  const targets = [...new Set(names)]
  return replied(
    authoritativeReply(targets.map((target) => nameRecord(query.name, rrType.PTR, config.ttlSeconds, target))),
  )
}
