// The loop: a change marks dirty, a run takes a snapshot and brings nginx there. Endpoint changes go at once, reloads
// keep to the rate limit and fold in what came meanwhile.

import { createSyncLoop, type Log } from '@kubewire/daemon-kit'
import { externalNames } from '@kubewire/nginx-gen'
import type { ClusterState, StateChange } from '../cluster/cluster-state.ts'
import type { NameResolver } from '../cluster/resolve-names.ts'
import type { NginxProcess } from '../nginx/nginx-process.ts'
import type { Synchronizer, SyncScope } from './sync.ts'

/** What the loop works with. */
export interface ControllerParts {
  readonly state: ClusterState
  readonly synchronizer: Synchronizer
  readonly resolver: NameResolver
  readonly nginx: NginxProcess
  readonly log: Log
  /** Called after each run that left nothing waiting; says whether more than endpoints was looked at. */
  readonly onSynced: (isFull: boolean) => void
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
  /** Notes a change; without one, everything is looked at again. */
  markDirty(change?: StateChange): void
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
  let scope: SyncScope = 'all'
  const followNames = (): void => {
    const model = synchronizer.running?.model
    if (model === undefined) return
    void resolver.follow(externalNames(model)).then((isNew) => {
      if (isNew) loop.markDirty()
    })
  }
  const loop = createSyncLoop({
    minIntervalMs: leastIntervalMs,
    snapshot: () => {
      const taken = { snapshot: state.snapshot(), versions: state.seenVersions(), scope }
      scope = new Set()
      return taken
    },
    plan: (taken) => taken,
    apply: async (taken) => {
      const waitMs = await synchronizer.sync(taken.snapshot, taken.scope)
      clearTimeout(waiting)
      if (waitMs !== undefined) {
        scope = 'all'
        waiting = setTimeout(() => loop.markDirty(), waitMs)
        return
      }
      syncs++
      versions = taken.versions
      if (taken.scope === 'all') {
        state.sweep()
        followNames()
      }
      parts.onSynced(taken.scope === 'all')
    },
    onFailure: (error, failures) => {
      scope = 'all'
      log.error('sync failed', { error: error instanceof Error ? error.message : String(error), failures })
    },
  })
  return {
    markDirty: (change) => {
      scope = widen(scope, change)
      loop.markDirty()
    },
    progress: () => ({ syncs, versions, pid: parts.nginx.pid, quarantined: [...synchronizer.quarantined.keys()] }),
    close: () => {
      clearTimeout(waiting)
      return loop.close()
    },
  }
}

function widen(scope: SyncScope, change: StateChange | undefined): SyncScope {
  if (scope === 'all' || change?.kind !== 'endpoints') return 'all'
  return new Set([...scope, ...change.services])
}
