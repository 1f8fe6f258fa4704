// The label an endpoint is known by below its service.

import type { EndpointAddress } from './cluster-objects.ts'

/** Hostname, else (when asked for) the name of the pod, else the address with dashes. */
export function endpointName(address: EndpointAddress, usesPodNames: boolean): string {
  if (address.hostname !== '') return address.hostname
  if (usesPodNames && address.targetName !== '') return address.targetName
  return addressLabel(address.address)
}

/** `10-244-1-5`, `fd00--1`; a form that would end in a dash gets a zero (CoreDNS plugin/kubernetes/kubernetes.go). */
function addressLabel(address: string): string {
  if (!address.includes(':')) return address.replaceAll('.', '-')
  const label = address.replaceAll(':', '-')
  return label.endsWith('-') ? `${label}0` : label
}
