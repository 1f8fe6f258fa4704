// What all handlers share: storage, kinds, time, chance and the pools of Service addresses and ports.

import type { Clock } from './clock.ts'
import type { Tokens } from './http/users.ts'
import type { KindRegistry } from './kinds/kind-registry.ts'
import type { ServicePools, WriteContext } from './kinds/write-context.ts'
import type { Storage } from './storage/storage.ts'

/** The state of one server. */
export interface ServerState {
  readonly storage: Storage
  readonly kinds: KindRegistry
  readonly clock: Clock
  /** 0 ≤ x < 1. */
  readonly random: () => number
  readonly pools: ServicePools
  readonly tokens: Tokens
  /** Milliseconds between bookmarks of a watch. */
  readonly bookmarkIntervalMs: number
  /** Whether `sendInitialEvents` is understood; `false` imitates older servers. */
  readonly hasWatchList: boolean
  /** Most objects of one page, also without `limit`; 0 is no cap. */
  readonly pageCap: number
}

/** The circumstances that rules of kinds see. */
export function writeContext(
  state: ServerState,
  request: { readonly user: string; readonly isDryRun: boolean; readonly trustsAddresses?: boolean },
): WriteContext {
  return {
    nowMs: state.clock.nowMs(),
    random: state.random,
    isDryRun: request.isDryRun,
    trustsAddresses: request.trustsAddresses === true,
    user: request.user,
    list: (resource) => state.storage.collection(resource).list(),
    pools: state.pools,
  }
}

/** A version 4 UUID from the server's randomness. */
export function makeUid(random: () => number): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16))
  hex[12] = '4'
  hex[16] = (8 + Math.floor(random() * 4)).toString(16)
  const text = hex.join('')
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`
}

const nameLetters = 'bcdfghjklmnpqrstvwxz2456789'

/** A name from `generateName`: the base cut to 58 characters and five random ones (apiserver `names/generate.go`). */
export function makeName(base: string, random: () => number): string {
  const tail = Array.from({ length: 5 }, () => nameLetters[Math.floor(random() * nameLetters.length)])
  return base.slice(0, 58) + tail.join('')
}
