// NS records of a zone and the addresses behind them: the server's own, or those of the services it is an endpoint of.

import { joinName, type Name } from '../name.ts'
import { endpointName } from './endpoint-name.ts'
import type { ZoneIndex } from './zone-index.ts'
import type { ZoneOptions } from './zone-options.ts'

/** One address of one name server. */
export interface NameServerAddress {
  readonly name: Name
  readonly address: string
}

/** Name servers of a zone (CoreDNS plugin/kubernetes/ns.go), names below `zone` as given. */
export function nameServers(
  index: ZoneIndex,
  options: ZoneOptions,
  zone: Name,
  localAddresses: readonly string[],
): readonly NameServerAddress[] {
  const found: NameServerAddress[] = []
  let isEndpoint = false
  for (const local of localAddresses) {
    for (const slice of index.slicesByAddress(local)) {
      isEndpoint = true
      const service = index.service(slice.namespace, slice.service)
      if (service === undefined) continue
      const name = joinName(`${service.name}.${service.namespace}.svc`, zone)
      if (service.kind === 'headless') {
        for (const endpoint of slice.addresses) {
          found.push({ name: `${endpointName(endpoint, options.usesPodNames)}.${name}`, address: endpoint.address })
        }
      } else {
        for (const address of service.addresses) if (address !== '') found.push({ name, address })
      }
    }
  }
  if (isEndpoint) return found
  return localAddresses.map((address) => ({ name: joinName('ns.dns', zone), address }))
}
