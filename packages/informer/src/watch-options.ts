// How a watch behaves; one set of options for `watchResource`, informers and factories.

import type { Backoff } from './backoff.ts'
import type { Clock } from './clock.ts'
import type { WatchError } from './watch-error.ts'

/** Options of every watch; the defaults are client-go's where it has one. */
export interface WatchResourceOptions {
  /** How the state is obtained: `auto` tries the streamed list once and falls back to pages for an hour. */
  readonly initialList?: 'auto' | 'streaming' | 'paged'
  /** Objects per page; default 500. Set, it is used for every list, also those a cache would serve whole. */
  readonly pageSize?: number
  /** `any` (default): the first list may be answered from a cache (version "0"); `mostRecent`: a consistent read. */
  readonly listSemantics?: 'any' | 'mostRecent'
  /** Each watch asks the server to end it after 1–2 times this; default 300. */
  readonly minWatchTimeoutSeconds?: number
  /** A connection that has sent bookmarks is dropped after this long without a frame; default 150 000. */
  readonly idleTimeoutMs?: number
  /** Until response headers; default 30 000. */
  readonly connectTimeoutMs?: number
  readonly backoff?: Backoff
  readonly clock?: Clock
  readonly random?: () => number
  /** Called for everything that goes wrong, also what is healed at once. */
  readonly onError?: (error: WatchError) => void
}
