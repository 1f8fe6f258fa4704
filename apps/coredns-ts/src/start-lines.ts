// The lines that tell at the start what is served: one for each zone of each listening address (CoreDNS
// core/dnsserver/onstartup.go).

import type { DnsServer, Listener } from '@kubewire/dns-core'
import { bindAddresses } from './bind-addresses.ts'

/** Lines such as `cluster.local.:53` or `example.org.:53 on 192.0.2.53`. */
export function startLines({ listeners }: Pick<DnsServer, 'listeners'>): string {
  return listeners
    .flatMap((listener) => bindAddresses(listener).flatMap((address) => linesOf(listener, address)))
    .join('')
}

function linesOf({ scheme, port, zones }: Listener, address: string): string[] {
  const protocol = scheme === 'dns' ? '' : `${scheme}://`
  const place = address === '' ? '' : ` on ${address}`
  return [...zones].sort().map((zone) => `${isUsual(zone) ? '' : warningOf(zone)}${protocol}${zone}:${port}${place}\n`)
}

function warningOf(zone: string): string {
  return `Warning: Domain ${JSON.stringify(zone)} does not follow RFC1035 preferred syntax\n`
}

/** RFC 1035 §2.3.1; the root and names of addresses are always usual. */
function isUsual(zone: string): boolean {
  if (zone === '.' || /(?:^|\.)(?:in-addr|ip6)\.arpa\.$/.test(zone)) return true
  return /^(?:[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+$/.test(zone)
}
