// How long an HTTP cache may keep a reply: the smallest TTL in it (RFC 8484 §5.1; CoreDNS plugin/pkg/dnsutil/ttl.go).

import { decodeMessage, rcode } from '@kubewire/dns-core'

/** What replies without records, and failures, get. */
const shortSeconds = 5

const longSeconds = 3600

/** Seconds for `Cache-Control: max-age`. */
export function maxAgeSeconds(reply: Uint8Array): number {
  const message = decodeMessage(reply)
  const code = (message?.flags ?? 0) & 15
  if (message === undefined || (code !== rcode.NOERROR && code !== rcode.NXDOMAIN)) return shortSeconds
  const records = [...message.answer, ...message.authority, ...message.additional]
  return records.length === 0 ? shortSeconds : Math.min(longSeconds, ...records.map(({ ttlSeconds }) => ttlSeconds))
}
