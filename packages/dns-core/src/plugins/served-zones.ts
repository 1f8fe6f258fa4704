// Zones read from files, and the answers from them: what the plugins file and auto have in common.

import { foldName, longestZone, type Name } from '../name.ts'
import { failed, next, type Outcome, replied, whenReady } from '../outcome.ts'
import type { Plugin, Ports } from '../plugin.ts'
import { askingFor } from '../query.ts'
import { rcode, rrType } from '../record-types.ts'
import { emptyReply } from '../reply.ts'
import { parseZoneFile, type ZoneData } from '../zone/zone-data.ts'
import { lookupZoneData, type ZoneResult } from '../zone/zone-lookup.ts'
import { fallsThrough } from './zone-arguments.ts'

/** Where a zone comes from and how it is served. */
export interface ZoneSource {
  readonly path: string
  /** How often its file is looked at, in milliseconds; 0 is never. */
  readonly reloadMs: number
  readonly fallthrough: readonly Name[]
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

/** Reads a file that changed; the zone before it stays when it does not parse, and what is wrong is returned. */
export function loadZone(name: Name, zone: ServedZone, ports: Ports): string | undefined {
  const { path, reloadMs } = zone.source
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

/** Answers and transfers of zones, which may come and go. */
export function serveZones(zones: ReadonlyMap<Name, ServedZone>): Plugin {
  return {
    handle(query, context) {
      const name = foldName(query.name)
      const zoneName = longestZone([...zones.keys()], name)
      const zone = zoneName === undefined ? undefined : zones.get(zoneName)
      // COMPAT: with nobody behind it the plugin refuses foreign names (CoreDNS plugin/file and plugin/auto).
      if (zone === undefined) return context.hasNext ? next : failed(rcode.REFUSED)
      if (zone.data === undefined) return failed(rcode.SERVFAIL)
      if (query.type === rrType.AXFR || query.type === rrType.IXFR) return failed(rcode.REFUSED)
      const external = (target: Name) => context.lookup(askingFor(query, target))
      const at = { zone: zone.data, type: query.type, external }
      return whenReady(lookupZoneData(at, name), (result) => outcomeOf(result, zone.source.fallthrough, name))
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
