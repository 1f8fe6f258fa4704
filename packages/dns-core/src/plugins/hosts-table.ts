// Lines of a hosts file → names and addresses.

import { reverseNameOf } from '../corefile/zones.ts'
import { parseGoIp } from '../kube/go-ip.ts'
import { absoluteName, foldName, labelsOf, longestZone, type Name } from '../name.ts'

/** What a hosts file says. */
export interface HostsTable {
  /** Addresses by folded name. */
  readonly addresses: ReadonlyMap<Name, readonly string[]>
  /** Names by folded reverse name. */
  readonly names: ReadonlyMap<Name, readonly Name[]>
}

/** A line over this many bytes in one field is dropped (CoreDNS 1.15). */
const maxFieldBytes = 1024

/** Reads lines of `ADDRESS NAME...`; names outside `zones` are left out, bad addresses skip their line. */
export function parseHosts(texts: readonly string[], zones: readonly Name[], hasReverse: boolean): HostsTable {
  const addresses = new Map<Name, string[]>()
  const names = new Map<Name, Name[]>()
  for (const line of texts.flatMap((text) => text.split('\n'))) {
    const fields = line.replace(/#.*$/s, '').trim().split(/\s+/)
    const address = parseGoIp((fields[0] ?? '').replace(/%.*$/, ''))
    if (address === undefined || fields.some((field) => field.length > maxFieldBytes)) continue
    for (const field of fields.slice(1)) {
      const name = foldName(absoluteName(field))
      if (longestZone(zones, name) === undefined) continue
      append(addresses, name, address)
      const reverse = hasReverse ? reverseNameOf(address) : undefined
      if (reverse !== undefined) append(names, reverse, name)
    }
  }
  return { addresses, names }
}

/** Addresses of a folded name; an entry `*.NAME` covers exactly one label. */
export function addressesOf(table: HostsTable, name: Name): readonly string[] {
  const exact = table.addresses.get(name)
  if (exact !== undefined) return exact
  const [first] = labelsOf(name)
  return (first === undefined ? undefined : table.addresses.get(`*.${name.slice(first.length + 1)}`)) ?? []
}

/** Addresses of names and names of addresses, the value of `coredns_hosts_entries`. */
export function countEntries(table: HostsTable): number {
  return [...table.addresses.values(), ...table.names.values()].reduce((sum, { length }) => sum + length, 0)
}

function append<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else if (!list.includes(value)) list.push(value)
}
