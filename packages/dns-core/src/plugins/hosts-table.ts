// Lines of a hosts file → names and addresses. Source: CoreDNS 1.15 plugin/hosts/hostsfile.go.

import { reverseNameOf } from '../corefile/zones.ts'
import { parseGoIp } from '../kube/go-ip.ts'
import { absoluteName, foldName, labelsOf, longestZone, type Name } from '../name.ts'

/** What one source says, a file or the lines of a Corefile. */
export interface HostsTable {
  /** Addresses by folded name; `*.NAME` covers one label. */
  readonly v4: ReadonlyMap<Name, readonly string[]>
  readonly v6: ReadonlyMap<Name, readonly string[]>
  /** Names by folded reverse name; wildcards have none. */
  readonly names: ReadonlyMap<Name, readonly Name[]>
}

/** A field over this many bytes is dropped (CoreDNS 1.15). */
const maxFieldBytes = 1024

/** Reads lines of `ADDRESS NAME...`; names outside `zones` are left out, bad addresses skip their line. */
export function parseHosts(text: string, zones: readonly Name[], hasReverse: boolean): HostsTable {
  const v4 = new Map<Name, string[]>()
  const v6 = new Map<Name, string[]>()
  const names = new Map<Name, Name[]>()
  for (const line of text.split('\n')) {
    const [first = '', ...fields] = line.replace(/#.*$/s, '').trim().split(/\s+/)
    const address = first.length > maxFieldBytes ? undefined : parseGoIp(first.replace(/%.*$/, ''))
    if (address === undefined) continue
    for (const field of fields) {
      const name = foldName(absoluteName(field))
      if (field.length > maxFieldBytes || longestZone(zones, name) === undefined) continue
      append(address.includes(':') ? v6 : v4, name, address)
      const reverse = hasReverse && !name.startsWith('*.') ? reverseNameOf(address) : undefined
      if (reverse !== undefined) append(names, reverse, name)
    }
  }
  return { v4, v6, names }
}

/**
 * Addresses of a folded name in one family. COMPAT: a wildcard steps in for each source and family by itself, whatever the
 * others know of the name.
 */
export function addressesOf(tables: readonly HostsTable[], family: 'v4' | 'v6', name: Name): readonly string[] {
  const [first] = labelsOf(name)
  const covering = first === undefined ? undefined : `*.${name.slice(first.length + 1)}`
  return tables.flatMap((table) => {
    const found = table[family].get(name)
    return found ?? (covering === undefined ? undefined : table[family].get(covering)) ?? []
  })
}

/** Addresses of names and names of addresses, the value of `coredns_hosts_entries`. */
export function countEntries({ v4, v6, names }: HostsTable): number {
  return [v4, v6, names].reduce((sum, map) => sum + [...map.values()].reduce((all, { length }) => all + length, 0), 0)
}

function append<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}
