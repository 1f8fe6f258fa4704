// Zones read from files, and the answers from them: what the plugins file and auto have in common.

import type { Directive } from '../corefile/directive.ts'
import { foldName, longestZone, type Name } from '../name.ts'
import { failed, next, type Outcome, replied, whenReady } from '../outcome.ts'
import type { ConfigureInput, Plugin, Ports } from '../plugin.ts'
import { followingAlias, hasTooManyAliases } from '../query.ts'
import { rcode, rrType } from '../record-types.ts'
import { emptyReply } from '../reply.ts'
import { parseZoneFile, type ZoneData, zoneSerial } from '../zone/zone-data.ts'
import { lookupZoneData, type ZoneResult } from '../zone/zone-lookup.ts'
import { durationProblem, fallsThrough } from './zone-arguments.ts'

/** Where a zone comes from. */
export interface ZoneSource {
  readonly path: string
  /** How often its file is looked at, in milliseconds; 0 is never. */
  readonly reloadMs: number
  /** Whether a changed file counts also with an unchanged serial. */
  readonly reloadsByTime: boolean
}

/** A zone with what was read of it last. */
export interface ServedZone {
  readonly source: ZoneSource
  data: ZoneData | undefined
  stamp: string | undefined
}

/** A zone of which nothing was read yet. */
export function servedZone(source: ZoneSource): ServedZone {
  return { source, data: undefined, stamp: undefined }
}

/** The interval of the last `reload` line; without one it is `otherwise`. */
export function reloadInterval(input: ConfigureInput, lines: readonly Directive[], otherwise: number): number {
  const line = lines.filter(({ name }) => name.text === 'reload').pop()
  if (line === undefined) return otherwise
  const [token] = line.args
  if (token === undefined) {
    input.failPlain('reload duration value is expected')
    return otherwise
  }
  const read = durationProblem(token.text)
  if (typeof read === 'number' && read >= 0) return read
  // COMPAT: the name of the plugin stands twice, in auto the second is that of file.
  input.failPlain(`plugin/file: ${typeof read === 'number' ? 'invalid duration' : read}`)
  return otherwise
}

/**
 * Reads a file that changed; the zone before it stays when it does not parse, and what is wrong is returned. It stays,
 * too, when its serial is still the same.
 */
export function loadZone(name: Name, zone: ServedZone, ports: Ports): string | undefined {
  const { path, reloadMs, reloadsByTime } = zone.source
  const stamp = ports.fileStamp(path)
  if (stamp !== undefined && stamp === zone.stamp) return undefined
  zone.stamp = stamp
  const text = ports.readFile(path)
  if (text === undefined) {
    // COMPAT: a file that is not there fails the start only where nobody looks for it again (CoreDNS plugin/file).
    if (reloadMs === 0) return `plugin/file: open ${path}: no such file or directory`
    const missing = `"open ${path}: no such file or directory"`
    ports.log('warning', `plugin/file: Failed to open ${missing}: trying again in ${reloadMs / 1000}s`)
    return undefined
  }
  const parsed = parseZoneFile(text, path, name, ports.readFile)
  if ('error' in parsed) return parsed.error
  const hasNewSerial = zone.data === undefined || zoneSerial(zone.data) !== zoneSerial(parsed.zone)
  if (!hasNewSerial && !reloadsByTime) return undefined
  if (zone.data !== undefined) {
    const serial = zoneSerial(parsed.zone)
    ports.log('info', `plugin/file: Successfully reloaded zone "${name}" in "${path}" with ${serial} SOA serial`)
  }
  zone.data = parsed.zone
  return undefined
}

/** How zones are served. */
export interface ServeOptions {
  /** Names that do not exist below these go to the next plugin. */
  readonly fallthrough: readonly Name[]
  /** Names outside of these are not ours; every zone of the map when absent. */
  readonly within?: readonly Name[]
}

/** Answers and transfers of zones, which may come and go. */
export function serveZones(zones: ReadonlyMap<Name, ServedZone>, { fallthrough, within }: ServeOptions): Plugin {
  return {
    handle(query, context) {
      const name = foldName(query.name)
      if (within !== undefined && longestZone(within, name) === undefined) return next
      const zoneName = longestZone([...zones.keys()], name)
      const zone = zoneName === undefined ? undefined : zones.get(zoneName)
      // COMPAT: with nobody behind it the plugin refuses foreign names (CoreDNS plugin/file and plugin/auto).
      if (zone === undefined) return context.hasNext ? next : failed(rcode.REFUSED)
      if (zone.data === undefined) return failed(rcode.SERVFAIL)
      if (query.type === rrType.AXFR || query.type === rrType.IXFR) return failed(rcode.REFUSED)
      const isApex = name === zoneName && (query.type === rrType.SOA || query.type === rrType.NS)
      if (!isApex && hasTooManyAliases(query)) return failed(rcode.SERVFAIL)
      const external = (target: Name) => context.lookup(followingAlias(query, target))
      const dnssecOk = query.edns?.dnssecOk ?? false
      const at = { zone: zone.data, type: query.type, dnssecOk, external }
      return whenReady(lookupZoneData(at, name), (result) => outcomeOf(result, fallthrough, name))
    },
    transfer(zoneName) {
      const data = zones.get(zoneName)?.data
      if (data === undefined) return undefined
      const apex = [data.soa, ...data.soaSignatures, ...data.apexNs, ...data.apexNsSignatures]
      return [...apex, ...data.order.flatMap((owner) => data.records.get(owner) ?? [])]
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
