// Names in nftables mode: a hash for uniqueness, the rest for people. Source: kube-proxy 1.36 pkg/proxy/nftables.

import { hashName } from '../proxy/hash.ts'
import type { ServicePortFacts } from '../proxy/service-port.ts'

const maxLength = 240

// Chains and elements of a port ask for the same name, and a hash is dear.
const names = new WeakMap<ServicePortFacts, string>()

/** `HASH-namespace/service/protocol/port`. */
export function nftServiceName(port: ServicePortFacts): string {
  const known = names.get(port)
  if (known !== undefined) return known
  const name = named(baseName(port))
  names.set(port, name)
  return name
}

/** `HASH-namespace/service/protocol/port__address/port`; colons of IPv6 become dots. */
export function nftEndpointName(port: ServicePortFacts, address: string, endpointPort: number): string {
  return named(`${baseName(port)}__${address.replaceAll(':', '.')}/${endpointPort}`)
}

function baseName({ namespace, serviceName, protocol, portName }: ServicePortFacts): string {
  return `${namespace}/${serviceName}/${protocol.toLowerCase()}/${portName}`
}

function named(text: string): string {
  const name = `${hashName(text, 8)}-${text}`
  return name.length > maxLength ? `${name.slice(0, maxLength - 3)}...` : name
}
