// Stands in for the control socket where nginx has no Lua module (`--dynamic=false`): there is no data to push, all of it
// is in the text. A reload is noticed by its new workers.

import { readFileSync } from 'node:fs'
import type { DataPush } from './data-push.ts'

/** Creates it; `masterPid` tells the process to look at. */
export function createStaticPush(masterPid: () => number | undefined): DataPush {
  const known = new Set<number>()
  let generation = 0
  const look = (): number => {
    const workers = childrenOf(masterPid())
    if (workers.some((pid) => !known.has(pid))) generation++
    for (const pid of workers) known.add(pid)
    return generation
  }
  return {
    takeOver: async () => {},
    isOwner: async () => true,
    pushAll: async () => {},
    pushChange: async () => {},
    drain: async () => {},
    refusedPatterns: async () => new Map(),
    generation: async () => look(),
    isInitialized: async () => masterPid() !== undefined,
    status: async () => '',
  }
}

function childrenOf(pid: number | undefined): readonly number[] {
  if (pid === undefined) return []
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return [] // it ended
  }
}
