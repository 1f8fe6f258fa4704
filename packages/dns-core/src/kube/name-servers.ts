// NS records of a zone and the addresses behind them: the server's own, or those of the services it is an endpoint of.

import { joinName, type Name } from '../name.ts'
import { endpointName } from './endpoint-name.ts'
import { recordFamily } from './go-ip.ts'
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

/**
 * Addresses under which the server is reached from outside: external ones of the services it is an endpoint of, with
 * `headless` the endpoints of those without a cluster address; its own when it is no endpoint.
 */
export function externalServerAddresses(
  index: ZoneIndex,
  hasHeadless: boolean,
  localAddresses: readonly string[],
): readonly string[] {
  const slices = localAddresses.flatMap((local) => [...index.slicesByAddress(local)])
  if (slices.length === 0) return localAddresses
  return slices.flatMap((slice) => {
    const service = index.service(slice.namespace, slice.service)
    if (service === undefined) return []
    if (hasHeadless && service.kind === 'headless') return slice.addresses.map(({ address }) => address)
    return service.externalAddresses.filter((address) => recordFamily(address) !== 'name')
  })
}
