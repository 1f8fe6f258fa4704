// Resource records as plain values. Types that no code of ours looks into are `opaque`: their bytes pass through.

import type { Name } from './name.ts'
import { rrClass, rrType } from './record-types.ts'

/** What a record says, by type. Texts of TXT, HINFO and NAPTR hold one character per byte (latin1). */
export type RecordData =
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'name'; readonly target: Name }
  | {
      readonly kind: 'srv'
      readonly priority: number
      readonly weight: number
      readonly port: number
      readonly target: Name
    }
  | { readonly kind: 'mx'; readonly preference: number; readonly target: Name }
  | { readonly kind: 'text'; readonly strings: readonly string[] }
  | SoaData
  | {
      readonly kind: 'naptr'
      readonly order: number
      readonly preference: number
      readonly flags: string
      readonly service: string
      readonly regexp: string
      readonly target: Name
    }
  | { readonly kind: 'opaque'; readonly bytes: Uint8Array }

/** Start of authority (RFC 1035 §3.3.13); times in seconds. */
export interface SoaData {
  readonly kind: 'soa'
  readonly mname: Name
  readonly rname: Name
  readonly serial: number
  readonly refreshSeconds: number
  readonly retrySeconds: number
  readonly expireSeconds: number
  readonly minimumSeconds: number
}

/** One resource record. `name` types are NS, CNAME, PTR and DNAME; `text` types are TXT, SPF and HINFO. */
export interface DnsRecord {
  readonly name: Name
  readonly type: number
  readonly class: number
  readonly ttlSeconds: number
  readonly data: RecordData
}

/** A or AAAA record, by the spelling of the address. */
export function addressRecord(name: Name, ttlSeconds: number, address: string): DnsRecord {
  const type = address.includes(':') ? rrType.AAAA : rrType.A
  return { name, type, class: rrClass.IN, ttlSeconds, data: { kind: 'address', address } }
}

/** Record of a type whose data is one name. */
export function nameRecord(name: Name, type: number, ttlSeconds: number, target: Name): DnsRecord {
  return { name, type, class: rrClass.IN, ttlSeconds, data: { kind: 'name', target } }
}

/** TXT record. */
export function textRecord(name: Name, ttlSeconds: number, strings: readonly string[]): DnsRecord {
  return { name, type: rrType.TXT, class: rrClass.IN, ttlSeconds, data: { kind: 'text', strings } }
}

/** SRV record of priority 0. */
export function srvRecord(name: Name, ttlSeconds: number, weight: number, port: number, target: Name): DnsRecord {
  return {
    name,
    type: rrType.SRV,
    class: rrClass.IN,
    ttlSeconds,
    data: { kind: 'srv', priority: 0, weight, port, target },
  }
}

/** The record with another TTL; the same value when nothing changes. */
export function withTtl(record: DnsRecord, ttlSeconds: number): DnsRecord {
  return record.ttlSeconds === ttlSeconds ? record : { ...record, ttlSeconds }
}

/** The name inside the data of NS, CNAME, PTR, DNAME, SRV, MX and NAPTR records. */
export function targetOf(record: DnsRecord): Name | undefined {
  return 'target' in record.data ? record.data.target : undefined
}
