// The state of a new server: empty storage, the built-in kinds, the first objects.

import { ipOf, parseCidr } from '@kubewire/kube-model'
import { type Clock, machineClock } from './clock.ts'
import { createFirstObjects } from './first-objects.ts'
import type { Tokens } from './http/users.ts'
import { createKindRegistry } from './kinds/kind-registry.ts'
import { builtInKinds } from './kinds/registry.ts'
import { createServicePools } from './kinds/service-pools.ts'
import type { ServerState } from './server-state.ts'
import { createStorage } from './storage/storage.ts'

/** What of the server's options concerns its state; see `MiniApiServerOptions`. */
export interface StateOptions {
  readonly serviceCidrs?: readonly string[]
  readonly historySize?: number
  readonly firstVersion?: number
  readonly bookmarkIntervalMs?: number
  readonly hasWatchList?: boolean
  readonly pageCap?: number
  readonly clock?: Clock
  readonly random?: () => number
}

/** Makes the state. Throws on a range of addresses that is none. */
export function createState(options: StateOptions, tokens: Tokens): ServerState {
  const random = options.random ?? Math.random
  const serviceCidrs = options.serviceCidrs ?? ['10.96.0.0/12', 'fd00:10:96::/112']
  const storage = createStorage({
    ...(options.historySize === undefined ? {} : { historySize: options.historySize }),
    ...(options.firstVersion === undefined ? {} : { firstVersion: options.firstVersion }),
  })
  const state: ServerState = {
    storage,
    kinds: createKindRegistry(builtInKinds),
    clock: options.clock ?? machineClock,
    random,
    pools: createServicePools(storage, { serviceCidrs, firstPort: 30000, lastPort: 32767, random }),
    tokens,
    bookmarkIntervalMs: options.bookmarkIntervalMs ?? 60_000,
    hasWatchList: options.hasWatchList ?? true,
    pageCap: options.pageCap ?? 0,
  }
  for (const kind of builtInKinds) storage.collection(kind.storage)
  const range = parseCidr(serviceCidrs[0] ?? '')
  createFirstObjects(state, range && ipOf(range.family, range.first + 1n).text)
  return state
}
