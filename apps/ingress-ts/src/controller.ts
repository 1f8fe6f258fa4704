// The loop: a change marks dirty, a run takes a snapshot and brings nginx there. Endpoint changes go at once, reloads
// keep to the rate limit and fold in what came meanwhile.

import { createSyncLoop, type Log } from '@kubewire/daemon-kit'
import { externalNames } from '@kubewire/nginx-gen'
import type { ClusterState } from './cluster-state.ts'
import type { NginxProcess } from './nginx-process.ts'
import type { NameResolver } from './resolve-names.ts'
import type { Synchronizer } from './sync.ts'

/** What the loop works with. */
export interface ControllerParts {
  readonly state: ClusterState
  readonly synchronizer: Synchronizer
  readonly resolver: NameResolver
  readonly nginx: NginxProcess
  readonly log: Log
  /** Called after each run that left nothing waiting. */
  readonly onSynced: () => void
}

/** How far it has come; shown at `/syncz`. */
export interface Progress {
  readonly syncs: number
  /** Resource versions that the running nginx reflects, by plural name. */
  readonly versions: { readonly [plural: string]: string }
  readonly pid: number | undefined
  readonly quarantined: readonly string[]
}

/** The running loop. */
export interface Controller {
  markDirty(): void
  progress(): Progress
  /** Lets the run under way finish. */
  close(): Promise<void>
}

// A burst of endpoint changes is one push.
const leastIntervalMs = 50

/** Creates the loop; nothing runs before the first `markDirty`. */
export function createController(parts: ControllerParts): Controller {
  const { state, synchronizer, resolver, log } = parts
  let syncs = 0
  let versions: Progress['versions'] = {}
  let waiting: NodeJS.Timeout | undefined
  const followNames = (): void => {
    const model = synchronizer.running?.model
    if (model === undefined) return
    void resolver.follow(externalNames(model)).then((isNew) => {
      if (isNew) loop.markDirty()
    })
  }
  const loop = createSyncLoop({
    minIntervalMs: leastIntervalMs,
    snapshot: () => ({ snapshot: state.snapshot(), versions: state.seenVersions() }),
    plan: (taken) => taken,
    apply: async (taken) => {
      const waitMs = await synchronizer.sync(taken.snapshot)
      clearTimeout(waiting)
      if (waitMs !== undefined) {
        waiting = setTimeout(() => loop.markDirty(), waitMs)
        return
      }
      syncs++
      versions = taken.versions
      followNames()
      parts.onSynced()
    },
    onFailure: (error, failures) =>
      log.error('sync failed', { error: error instanceof Error ? error.message : String(error), failures }),
  })
  return {
    markDirty: () => loop.markDirty(),
    progress: () => ({ syncs, versions, pid: parts.nginx.pid, quarantined: [...synchronizer.quarantined.keys()] }),
    close: () => {
      clearTimeout(waiting)
      return loop.close()
    },
  }
}
