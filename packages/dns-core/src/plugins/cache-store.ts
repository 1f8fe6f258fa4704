// The two maps of a cache, and which entries a change of a cluster object touches.

import { reverseNameOf } from '../corefile/zones.ts'
import { parseRequestName } from '../kube/request-name.ts'
import type { ChangedNames } from '../kube/zone-index.ts'
import { isMulticlusterZone, type ZoneOptions } from '../kube/zone-options.ts'
import { foldName, longestZone, type Name } from '../name.ts'
import type { Query } from '../query.ts'
import { targetOf } from '../record.ts'
import { rcode } from '../record-types.ts'
import type { CacheConfig } from './cache-config.ts'
import { type CacheItem, remainingSeconds } from './cache-item.ts'
import type { KubernetesPlugin } from './kubernetes.ts'

type Side = 'success' | 'denial'

/** Stored replies by key; positive and negative apart, as the original keeps them. */
export class CacheStore {
  private readonly sides: { readonly [side in Side]: Map<string, CacheItem> } = {
    success: new Map(),
    denial: new Map(),
  }
  private readonly config: CacheConfig
  private readonly subjects = new Map<string, Set<string>>()
  private followed: ZoneOptions | undefined

  constructor(config: CacheConfig) {
    this.config = config
  }

  size(side: Side): number {
    return this.sides[side].size
  }

  isPositive(item: CacheItem): boolean {
    return item.sort === 'success' || item.sort === 'delegation'
  }

  /** Whatever is stored under a key, fresh or not; denials first. */
  peek(key: string): CacheItem | undefined {
    return this.sides.denial.get(key) ?? this.sides.success.get(key)
  }

  /** The item to serve: fresh, or stale by at most `staleMs`. A stored failure never hides a positive item. */
  get(key: string, nowMs: number, staleMs: number, prefersPositive: boolean): CacheItem | undefined {
    const usable = (item: CacheItem | undefined): CacheItem | undefined => {
      if (item === undefined) return undefined
      const left = remainingSeconds(item, nowMs)
      return left > 0 || (staleMs > 0 && -left < staleMs / 1000) ? item : undefined
    }
    const positive = usable(this.sides.success.get(key))
    const denial = usable(this.sides.denial.get(key))
    if (denial === undefined || (prefersPositive && staleMs > 0 && positive !== undefined)) return positive
    return denial.reply.rcode === rcode.SERVFAIL && positive !== undefined ? positive : denial
  }

  /**
   * Stores an item unless its zone is excepted; a positive one that `ousts` removes the denial of its key. The oldest goes
   * when there is no room; the side it left is returned.
   */
  set(key: string, query: Query, item: CacheItem, ousts: boolean): Side | undefined {
    const side: Side = this.isPositive(item) ? 'success' : 'denial'
    const { except, capacity } = this.config[side]
    if (longestZone(except, foldName(query.name)) !== undefined) return undefined
    const map = this.sides[side]
    this.remove(side, key)
    const [oldest] = map.keys()
    const isFull = map.size >= capacity && oldest !== undefined
    if (isFull) this.remove(side, oldest)
    map.set(key, item)
    // Which of both sides is served is for `get` to say; the other one's item is repeated no more.
    const other = side === 'success' ? 'denial' : 'success'
    const beside = this.sides[other].get(key)
    if (beside !== undefined) beside.isSuperseded = true
    if (side === 'success' && ousts) this.remove('denial', key)
    if (this.followed !== undefined) this.remember(key, query, item, this.followed)
    return isFull ? side : undefined
  }

  /** Drops entries of a cluster's zones as its objects change. */
  follow(plugin: KubernetesPlugin, report: (dropped: number) => void): void {
    this.followed = plugin.config.options
    plugin.index.onChange((changed) => {
      const dropped = this.dropChanged(changed)
      if (dropped > 0) report(dropped)
    })
  }

  private remove(side: Side, key: string): boolean {
    const item = this.sides[side].get(key)
    if (item === undefined) return false
    item.isSuperseded = true
    this.sides[side].delete(key)
    if (this.peek(key) !== undefined) return true
    for (const subject of item.subjects) {
      const keys = this.subjects.get(subject)
      keys?.delete(key)
      if (keys?.size === 0) this.subjects.delete(subject)
    }
    return true
  }

  private remember(key: string, query: Query, item: CacheItem, options: ZoneOptions): void {
    const names = [query.name, ...item.reply.answer.flatMap((record) => targetOf(record) ?? [])]
    item.subjects = names.flatMap((name) => subjectOf(name, options) ?? [])
    for (const subject of item.subjects) {
      const keys = this.subjects.get(subject)
      if (keys === undefined) this.subjects.set(subject, new Set([key]))
      else keys.add(key)
    }
  }

  private dropChanged({ service, addresses, isEverything }: ChangedNames): number {
    const reverse = addresses.flatMap((address) => reverseNameOf(address) ?? [])
    const touched = isEverything ? [...this.subjects.keys()] : [...(service === undefined ? [] : [service]), ...reverse]
    let dropped = 0
    for (const subject of touched) {
      for (const key of this.subjects.get(subject) ?? []) {
        const wasThere = this.remove('success', key)
        if (this.remove('denial', key) || wasThere) dropped++
      }
      this.subjects.delete(subject)
    }
    return dropped
  }
}

/** What a name in a cluster zone depends on: `NAMESPACE/SERVICE`, or itself. */
function subjectOf(asked: Name, options: ZoneOptions): string | undefined {
  const name = foldName(asked)
  const zone = longestZone(options.zones, name)
  if (zone === undefined) return undefined
  const isMulticluster = isMulticlusterZone(options, zone)
  const request = parseRequestName(name, zone, { isMulticluster, hasZonalNames: options.hasZonalNames })
  return request.kind === 'service' ? `${request.namespace}/${request.service}` : name
}
