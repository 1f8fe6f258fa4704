// Answers from zone files.

import { foldName, longestZone, type Name } from '../name.ts'
import { failed, next, type Outcome, replied, whenReady } from '../outcome.ts'
import { type ConfigureInput, definePlugin, type Plugin, type PluginDefinition, type Ports } from '../plugin.ts'
import { askingFor } from '../query.ts'
import { rcode, rrType } from '../record-types.ts'
import { emptyReply } from '../reply.ts'
import type { ZoneData } from '../zone/zone-data.ts'
import { parseZoneFile } from '../zone/zone-data.ts'
import { lookupZoneData, type ZoneResult } from '../zone/zone-lookup.ts'
import { durationArgument, fallsThrough, fallthroughZones, zonesOrBlock } from './zone-arguments.ts'

/** One file directive. */
export interface FileZones {
  readonly path: string
  readonly zones: readonly Name[]
  readonly reloadMs: number
  readonly fallthrough: readonly Name[]
}

export const file: PluginDefinition<readonly FileZones[]> = definePlugin({
  name: 'file',
  summary: 'Answers names from RFC 1035 zone files.',
  syntax: 'FILE [ZONES...]',
  args: { min: 1, max: Number.POSITIVE_INFINITY },
  properties: {
    reload: { min: 1, max: 1, syntax: 'DURATION', summary: 'How often the file is looked at, default 1m; 0 never.' },
    fallthrough: { min: 0, max: 99, syntax: '[ZONES...]', summary: 'Names that do not exist go on.' },
    upstream: { min: 0, max: 99, syntax: '', summary: 'Accepted and ignored.' },
  },
  configure: (input) => input.directives.map((directive) => configureFile(input, directive)),
  create: (config, ports) => createFile(config, ports),
})

function configureFile(input: ConfigureInput, directive: ConfigureInput['directives'][number]): FileZones {
  const [path, ...zones] = directive.args
  const text = path?.text ?? ''
  const reload = directive.block?.find((line) => line.name.text === 'reload')
  return {
    path: text.startsWith('/') ? text : `${input.block.root}/${text}`,
    zones: zonesOrBlock(input, zones),
    reloadMs: durationArgument(input, reload?.args[0]) ?? 60_000,
    fallthrough: (directive.block ?? [])
      .filter((line) => line.name.text === 'fallthrough')
      .flatMap((line) => fallthroughZones(input, line)),
  }
}

interface LoadedZone {
  readonly config: FileZones
  data: ZoneData | undefined
  stamp: string | undefined
}

function createFile(configs: readonly FileZones[], ports: Ports): Plugin {
  const zones = new Map<Name, LoadedZone>()
  const cancels: (() => void)[] = []
  for (const config of configs) {
    for (const zone of config.zones) zones.set(zone, { config, data: undefined, stamp: undefined })
  }
  const load = (): (string | undefined)[] => [...zones].map(([name, zone]) => loadZone(name, zone, ports))
  const startError = load().find((error) => error !== undefined)
  const reloadMs = Math.min(...configs.map((config) => config.reloadMs).filter((ms) => ms > 0))
  const poll = (): void => {
    for (const error of load()) if (error !== undefined) ports.log('error', `plugin/file: ${error}`)
    cancels[0] = ports.schedule(reloadMs, poll)
  }
  if (Number.isFinite(reloadMs)) cancels[0] = ports.schedule(reloadMs, poll)
  return {
    ...zonePlugin(zones),
    startError,
    close: () => {
      for (const cancel of cancels) cancel()
    },
  }
}

/** Reads a file that changed; the zone before it stays when it does not parse, and what is wrong is returned. */
function loadZone(name: Name, zone: LoadedZone, ports: Ports): string | undefined {
  const { path, reloadMs } = zone.config
  const stamp = ports.fileStamp(path)
  if (stamp !== undefined && stamp === zone.stamp) return undefined
  zone.stamp = stamp
  const text = ports.readFile(path)
  if (text === undefined) {
    // COMPAT: a file that is not there fails the start only where nobody looks for it again (CoreDNS plugin/file).
    if (reloadMs === 0) return `open ${path}: no such file or directory`
    ports.log('warning', `plugin/file: Failed to open "${path}": trying again in ${reloadMs / 1000}s`)
    return undefined
  }
  const parsed = parseZoneFile(text, path, name)
  if ('error' in parsed) return parsed.error
  zone.data = parsed.zone
  return undefined
}

function zonePlugin(zones: ReadonlyMap<Name, LoadedZone>): Plugin {
  return {
    handle(query, context) {
      const name = foldName(query.name)
      const zoneName = longestZone([...zones.keys()], name)
      const zone = zoneName === undefined ? undefined : zones.get(zoneName)
      // COMPAT: with nobody behind it the plugin refuses foreign names (CoreDNS plugin/file).
      if (zone === undefined) return context.hasNext ? next : failed(rcode.REFUSED)
      if (zone.data === undefined) return failed(rcode.SERVFAIL)
      if (query.type === rrType.AXFR || query.type === rrType.IXFR) return failed(rcode.REFUSED)
      const external = (target: Name) => context.lookup(askingFor(query, target))
      const at = { zone: zone.data, type: query.type, external }
      return whenReady(lookupZoneData(at, name), (result) => outcomeOf(result, zone.config.fallthrough, name))
    },
    transfer(zoneName) {
      const data = zones.get(zoneName)?.data
      if (data === undefined) return undefined
      return [data.soa, ...data.apexNs, ...[...data.records.values()].flat()]
    },
  }
}

function outcomeOf(result: ZoneResult, fallthrough: readonly Name[], name: Name): Outcome {
  const isEmpty = result.answer.length === 0
  if (isEmpty && (result.kind === 'nxdomain' || result.kind === 'success') && fallsThrough(fallthrough, name))
    return next
  if (result.kind === 'servfail' && isEmpty) return failed(rcode.SERVFAIL)
  const code = result.kind === 'nxdomain' ? rcode.NXDOMAIN : result.kind === 'servfail' ? rcode.SERVFAIL : rcode.NOERROR
  const { answer, authority, additional } = result
  const authoritative = !(result.kind === 'delegation' && isEmpty)
  return replied({ ...emptyReply, rcode: code, authoritative, answer, authority, additional })
}
