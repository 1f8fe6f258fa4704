// What a cache may keep of a reply, for how long, and what it gives back (CoreDNS plugin/cache/item.go,
// plugin/pkg/response).

import { foldName } from '../name.ts'
import type { Repeat } from '../plugin.ts'
import type { Query } from '../query.ts'
import { type DnsRecord, withTtl } from '../record.ts'
import { opcode, rcode, rrType } from '../record-types.ts'
import { mapRecords, type Reply } from '../reply.ts'
import type { CacheConfig } from './cache-config.ts'

/** Sorts of replies; `other` is never stored. */
export type ReplySort = 'success' | 'delegation' | 'nodata' | 'nxdomain' | 'failure' | 'other'

/** One stored reply; `storedMs` and `ttlSeconds` give its end. */
export interface CacheItem {
  readonly reply: Reply
  readonly sort: ReplySort
  readonly ttlSeconds: number
  readonly storedMs: number
  hits: number
  lastHitMs: number
  isRefreshing: boolean
  retryAfterMs: number
  /** Another item of the same key came after it, or it made room. */
  isSuperseded: boolean
  /** What of a cluster it was made from. */
  subjects: readonly string[]
  /** Leave to repeat it, made when it was first served. */
  repeat?: Repeat
}

/** Sorts a reply. */
export function sortReply(query: Query, reply: Reply): ReplySort {
  if (query.opcode !== opcode.QUERY || query.type === rrType.AXFR || query.type === rrType.IXFR) return 'other'
  const soa = hasSoa(reply)
  if (reply.rcode === rcode.NOERROR && reply.answer.length > 0) {
    return soa && !answersType(query, reply) ? 'nodata' : 'success'
  }
  if (reply.rcode === rcode.NXDOMAIN) return reply.answer.length > 0 ? 'other' : 'nxdomain'
  if (reply.rcode === rcode.SERVFAIL || reply.rcode === rcode.NOTIMP) return 'failure'
  if (reply.rcode !== rcode.NOERROR) return 'other'
  if (soa) return 'nodata'
  return reply.authority.some((record) => record.type === rrType.NS) ? 'delegation' : 'success'
}

/** Seconds that a reply of this sort lives, whether it is stored or only passes. */
export function lifetimeSeconds(config: CacheConfig, sort: ReplySort, reply: Reply): number {
  if (sort === 'failure') return config.failSeconds
  const { minTtl, maxTtl } = sort === 'nodata' || sort === 'nxdomain' ? config.denial : config.success
  return Math.min(maxTtl, Math.max(minTtl, smallestTtl(sort, reply)))
}

/** Whether a reply of this sort may be stored at all. */
export function isStorable(query: Query, sort: ReplySort, reply: Reply): boolean {
  if (reply.truncated || reply.hasQuestion === false || sort === 'other') return false
  if (sort === 'nxdomain') return hasSoa(reply)
  return !(sort === 'success' && reply.answer.length > 0 && !hasSoa(reply) && !answersType(query, reply))
}

/**
 * Whether a reply may take the place of a stale one: one that says something about the name (RFC 8767 §4), or with
 * `serve_stale_policy prefer_positive` one that has what was asked for.
 */
export function replacesStale(query: Query, reply: Reply, prefersPositive: boolean): boolean {
  if (reply.truncated || reply.hasQuestion === false) return false
  if (prefersPositive) return reply.rcode === rcode.NOERROR && reply.answer.length > 0 && answersType(query, reply)
  const isAnswer = reply.rcode === rcode.NOERROR || reply.rcode === rcode.NXDOMAIN
  return isAnswer && sortReply(query, reply) !== 'other'
}

/** The reply with one TTL on every record, AD cleared for clients that did not ask about it. */
export function withUniformTtl(query: Query, reply: Reply, ttlSeconds: number): Reply {
  const wantsAd = query.edns?.dnssecOk || query.authenticData
  const edited = mapRecords(reply, (record) => withTtl(record, ttlSeconds))
  return wantsAd ? edited : { ...edited, authenticData: false }
}

/** Seconds an item has left; negative when it is stale. */
export function remainingSeconds(item: CacheItem, nowMs: number): number {
  return item.ttlSeconds - Math.floor((nowMs - item.storedMs) / 1000)
}

/** Starts as with zero hits. */
export function createItem(reply: Reply, sort: ReplySort, ttlSeconds: number, nowMs: number): CacheItem {
  const kept: Reply = { ...reply }
  const { ednsOptions: _options, saysDnssecOk: _do, ednsSize: _own, udpSize: _size, ...others } = kept
  // What later plugins made of RD belongs to the reply that passed; who is answered from the cache gets their own back.
  const { recursionDesired: _rd, ...rest } = others
  const use = { hits: 0, lastHitMs: 0, isRefreshing: false, retryAfterMs: 0, isSuperseded: false, subjects: [] }
  return { reply: rest, sort, ttlSeconds, storedMs: nowMs, ...use }
}

function smallestTtl(sort: ReplySort, reply: Reply): number {
  const records = [...reply.answer, ...reply.authority, ...reply.additional]
  if (sort === 'other' || sort === 'delegation' || records.length === 0) return 5
  return records.reduce((least, record) => Math.min(least, record.ttlSeconds), 3600)
}

function hasSoa(reply: Reply): boolean {
  return reply.authority.some((record) => record.type === rrType.SOA)
}

/** Whether the answer section reaches the asked type, along its CNAME chain. */
function answersType(query: Query, reply: Reply): boolean {
  if (query.type === rrType.ANY) return true
  let name = foldName(query.name)
  for (let i = 0; i <= reply.answer.length; i++) {
    if (reply.answer.some((r: DnsRecord) => r.type === query.type && foldName(r.name) === name)) return true
    const alias = reply.answer.find((r) => r.type === rrType.CNAME && foldName(r.name) === name)
    if (alias?.data.kind !== 'name') return false
    name = foldName(alias.data.target)
  }
  return false
}
