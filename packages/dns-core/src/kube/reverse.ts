// Reverse names → targets of PTR records.

import type { Name } from '../name.ts'
import { joinName, labelsOf } from '../name.ts'
import { endpointName } from './endpoint-name.ts'
import { parseGoIp } from './go-ip.ts'
import type { ZoneIndex } from './zone-index.ts'
import { isExposed, primaryZone, type ZoneOptions } from './zone-options.ts'

/** The address a folded reverse name stands for, canonical; `undefined` for every other name. */
export function addressOfReverseName(name: Name): string | undefined {
  if (name.endsWith('.in-addr.arpa.')) {
    const labels = labelsOf(name.slice(0, -'.in-addr.arpa.'.length))
    return parseGoIp(labels.reverse().join('.'))
  }
  if (name.endsWith('.ip6.arpa.')) {
    const digits = labelsOf(name.slice(0, -'.ip6.arpa.'.length)).reverse()
    if (digits.length !== 32 || !digits.every((digit) => digit.length === 1)) return undefined
    const text = digits.join('')
    return parseGoIp(text.match(/.{4}/g)?.join(':') ?? '')
  }
  return undefined
}

/** PTR targets of an address: the first service with it as cluster IP, else every ready endpoint, names once. */
export function reverseTargets(index: ZoneIndex, options: ZoneOptions, address: string): readonly Name[] {
  const zone = primaryZone(options)
  if (zone === undefined) return []
  // COMPAT: `namespace_labels` does not filter here, the list of `namespaces` does.
  const isAllowed = (namespace: string): boolean =>
    options.namespaces.size === 0 || isExposed(index, options, namespace)
  for (const service of index.servicesByAddress(address)) {
    if (isAllowed(service.namespace)) return [joinName(`${service.name}.${service.namespace}.svc`, zone)]
  }
  const targets = new Set<Name>()
  for (const slice of index.slicesByAddress(address)) {
    // Slices without a service would give a name with an empty label.
    if (slice.service === '' || !isAllowed(slice.namespace)) continue
    for (const endpoint of slice.addresses) {
      if (endpoint.address !== address) continue
      const label = endpointName(endpoint, options.usesPodNames)
      targets.add(joinName(`${label}.${slice.service}.${slice.namespace}.svc`, zone))
    }
  }
  return [...targets]
}
