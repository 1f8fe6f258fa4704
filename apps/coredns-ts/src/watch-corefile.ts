// Looks whether the Corefile changed, as the plugin reload says. A file that cannot be served is tried once and not again
// until it changes.

import type { Log } from '@kubewire/daemon-kit'
import type { ReloadConfig } from '@kubewire/dns-core'
import { readCorefile } from './corefile-files.ts'
import { configsOf, hashPlans, type Instance, planCorefile } from './instance.ts'
import type { Group } from './workers/join-group.ts'

/** Where the Corefile is, and who is told of what happens to it. */
export interface CorefileWatchOptions {
  readonly conf: string
  readonly defaultPort: number
  /** The other processes that serve with this one; the first looks for all. */
  readonly group?: Group
  readonly log: Log
}

/** Watches while a configuration runs. */
export interface CorefileWatch {
  /** From now on this configuration runs, and its interval counts. */
  enter(instance: Instance): void
  stop(): void
  /** Goes on after a stop, with what was seen before. */
  goOn(): void
}

/** A watch that calls back when the Corefile changed; in a group it tells the group instead. */
export function createCorefileWatch(
  { conf, defaultPort, group, log }: CorefileWatchOptions,
  changed: () => void,
): CorefileWatch {
  let timer: NodeJS.Timeout | undefined
  let everyMs: number | undefined
  let seen = ''
  const look = (): void => {
    let hash = seen
    try {
      const { value, problems } = planCorefile(readCorefile(conf, defaultPort), defaultPort)
      hash = problems.length === 0 ? hashPlans(value) : JSON.stringify(problems)
    } catch {
      return
    }
    if (hash === seen) return
    seen = hash
    if (group === undefined) changed()
    else group.reportChange()
  }
  const stop = (): void => clearInterval(timer)
  const goOn = (): void => {
    stop()
    if (everyMs !== undefined && group?.isFirst !== false) timer = setInterval(look, everyMs)
  }
  return {
    enter(instance) {
      seen = instance.hash
      const [config] = configsOf<ReloadConfig>(instance, 'reload')
      // INTERVAL plus a random part of JITTER, drawn at each load (CoreDNS plugin/reload).
      everyMs = config && config.intervalMs + (Math.random() - 0.5) * config.jitterMs
      if (config !== undefined) log.info(`plugin/reload: Running configuration SHA512 = ${seen}`)
      goOn()
    },
    stop,
    goOn,
  }
}
