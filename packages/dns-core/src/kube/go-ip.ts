// Addresses as Go's net.ParseIP reads them, which decides whether a text is an A, an AAAA or a name.

import { parseIp, parseIpSloppy } from '@kubewire/kube-model'

/** The record an address text becomes; `name` when it is no address. */
export type RecordFamily = 'A' | 'AAAA' | 'name'

/** A text by the record it becomes; an IPv4-mapped address counts as IPv4 (Go net.IP.To4). */
export function recordFamily(text: string): RecordFamily {
  const ip = parseGoIp(text)
  if (ip === undefined) return 'name'
  return ip.includes(':') ? 'AAAA' : 'A'
}

/** Canonical text of an address, or `undefined`. No leading zeros in IPv4, any spelling of IPv6, mapped becomes IPv4. */
export function parseGoIp(text: string): string | undefined {
  if (text.includes(':')) return /^[0-9a-fA-F:.]+$/.test(text) ? parseIpSloppy(text)?.text : undefined
  return /^[0-9.]+$/.test(text) ? parseIp(text)?.text : undefined
}
