// Names from a hosts file and from lines in the Corefile.

import { foldName, longestZone, type Name } from '../name.ts'
import { failed, next, type Outcome, replied } from '../outcome.ts'
import { type ConfigureInput, definePlugin, type Plugin, type PluginDefinition, type Ports } from '../plugin.ts'
import type { Query } from '../query.ts'
import { addressRecord, nameRecord } from '../record.ts'
import { rcode, rrType } from '../record-types.ts'
import { authoritativeReply } from '../reply.ts'
import { addressesOf, countEntries, type HostsTable, parseHosts } from './hosts-table.ts'
import {
  durationProblem,
  fallsThrough,
  fallthroughZones,
  integerProblem,
  pathAtRoot,
  zonesOrBlock,
} from './zone-arguments.ts'

interface HostsConfig {
  readonly path: string
  readonly zones: readonly Name[]
  readonly inline: string
  readonly ttlSeconds: number
  readonly hasReverse: boolean
  readonly reloadMs: number
  readonly fallthrough: readonly Name[]
  readonly fallsThroughUnsupported: boolean
}

export const hosts: PluginDefinition<HostsConfig> = definePlugin({
  name: 'hosts',
  summary: 'Answers names from a hosts file and from inline lines.',
  syntax: '[FILE [ZONES...]]',
  args: { min: 0, max: Number.POSITIVE_INFINITY },
  properties: undefined,
  isOnce: true,
  configure: configureHosts,
  create: createHosts,
})

function configureHosts(input: ConfigureInput): HostsConfig {
  const [directive] = input.directives
  if (directive === undefined) throw new Error('a plugin is configured only where its directive stands')
  const [file, ...zoneArgs] = directive.args
  const path = file?.text ?? '/etc/hosts'
  const inline: string[] = []
  let config: HostsConfig = {
    path: pathAtRoot(input.block.root, path),
    zones: zonesOrBlock(input, zoneArgs),
    inline: '',
    ttlSeconds: 3600,
    hasReverse: true,
    reloadMs: 5000,
    fallthrough: [],
    fallsThroughUnsupported: false,
  }
  for (const line of directive.block ?? []) {
    switch (line.name.text) {
      case 'fallthrough':
        config = { ...config, fallthrough: fallthroughZones(input, line) }
        continue
      case 'fallthrough_unsupported':
        config = { ...config, fallsThroughUnsupported: true }
        if (line.args.length > 0) {
          const text = line.args.at(-1)?.text
          input.fail(`Wrong argument count or unexpected line ending after '${text}'`, line.name)
        }
        continue
      case 'no_reverse':
        config = { ...config, hasReverse: false }
        continue
      case 'ttl': {
        const [token] = line.args
        const ttl = token === undefined ? Number.NaN : Number(integerProblem(token.text, 'Atoi'))
        if (token === undefined) input.fail('ttl needs a time in second', line.end)
        else if (Number.isNaN(ttl)) input.fail('ttl needs a number of second', line.end)
        else if (ttl <= 0 || ttl > 65535) input.fail('ttl provided is invalid', line.end)
        config = { ...config, ttlSeconds: ttl }
        continue
      }
      case 'reload': {
        const [token, ...others] = line.args
        const ms = token === undefined ? Number.NaN : Number(durationProblem(token.text))
        if (token === undefined || others.length > 0)
          input.fail('reload needs a duration (zero seconds to disable)', line.end)
        else if (Number.isNaN(ms)) input.fail(`invalid duration for reload '${token.text}'`, line.end)
        else if (ms < 0) input.fail(`invalid negative duration for reload '${token.text}'`, line.end)
        config = { ...config, reloadMs: ms }
        continue
      }
    }
    // COMPAT: other words are lines of the hosts file, whatever they are, until there is a fallthrough.
    if (config.fallthrough.length > 0) input.fail(`unknown property '${line.name.text}'`, line.name)
    inline.push([line.name.text, ...line.args.map((arg) => arg.text)].join(' '))
  }
  if (config.fallsThroughUnsupported && config.fallthrough.length === 0) {
    input.fail('fallthrough_unsupported requires fallthrough', directive.end)
  }
  return { ...config, inline: inline.join('\n') }
}

function createHosts(config: HostsConfig, ports: Ports): Plugin {
  let stamp = ports.fileStamp(config.path)
  let tables = readTables(config, ports)
  let cancel = (): void => {}
  const poll = (): void => {
    const now = ports.fileStamp(config.path)
    if (now !== stamp) {
      stamp = now
      tables = readTables(config, ports)
    }
    cancel = ports.schedule(config.reloadMs, poll)
  }
  if (config.reloadMs > 0) cancel = ports.schedule(config.reloadMs, poll)
  return {
    handle: (query) => answerFrom(tables, config, query),
    close: () => cancel(),
  }
}

/** What the file and the Corefile say, in the order of answers. */
function readTables(config: HostsConfig, ports: Ports): readonly HostsTable[] {
  const [inFile, inline] = [ports.readFile(config.path) ?? '', config.inline].map((text) =>
    parseHosts(text, config.zones, config.hasReverse),
  ) as [HostsTable, HostsTable]
  ports.metrics.set('coredns_hosts_entries', [config.path], countEntries(inline) + countEntries(inFile))
  ports.log('debug', `plugin/hosts: Parsed hosts file into ${countEntries(inFile)} entries`)
  ports.metrics.set('coredns_hosts_reload_timestamp_seconds', [], ports.nowMs() / 1000)
  return [inFile, inline]
}

function answerFrom(tables: readonly HostsTable[], config: HostsConfig, query: Query): Outcome {
  const name = foldName(query.name)
  const { ttlSeconds } = config
  if (query.type === rrType.PTR) {
    const targets = tables.flatMap(({ names }) => names.get(name) ?? [])
    // COMPAT: reverse names are answered in every zone; unknown ones always go on (CoreDNS plugin/hosts).
    if (targets.length === 0) return next
    return replied(authoritativeReply(targets.map((target) => nameRecord(name, rrType.PTR, ttlSeconds, target))))
  }
  if (longestZone(config.zones, name) === undefined) return next
  const addresses = { v4: addressesOf(tables, 'v4', name), v6: addressesOf(tables, 'v6', name) }
  if (addresses.v4.length === 0 && addresses.v6.length === 0) {
    return fallsThrough(config.fallthrough, name) ? next : failed(rcode.SERVFAIL)
  }
  const isAddressType = query.type === rrType.A || query.type === rrType.AAAA
  if (!isAddressType && config.fallsThroughUnsupported && fallsThrough(config.fallthrough, name)) return next
  // COMPAT: another type of a known name is an empty NOERROR without SOA.
  const wanted = query.type === rrType.A ? addresses.v4 : query.type === rrType.AAAA ? addresses.v6 : []
  return replied(authoritativeReply(wanted.map((address) => addressRecord(name, ttlSeconds, address))))
}
