// An nginx that a controller before us has left behind: it goes on serving, so it is taken over instead of started anew.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A master process of our run directory. */
export interface RunningNginx {
  readonly pid: number
  /** The configuration that its workers have read; `undefined` where the file has changed since. */
  readonly config: string | undefined
}

/** The nginx that runs in this directory, if there is one. */
export function findRunningNginx(runDir: string): RunningNginx | undefined {
  const pid = Number(readOr(join(runDir, 'nginx.pid'), '').trim())
  if (!Number.isInteger(pid) || pid < 2) return undefined
  // A number may have been given to another program meanwhile.
  const title = readOr(`/proc/${pid}/cmdline`, '')
  if (!title.startsWith('nginx: master') || !title.includes(runDir)) return undefined
  return { pid, config: configOf(pid, join(runDir, 'nginx.conf')) }
}

/** Whether a process is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function configOf(master: number, file: string): string | undefined {
  try {
    const writtenMs = statSync(file).mtimeMs
    const startsMs = childrenOf(master).map((pid) => statSync(`/proc/${pid}`).ctimeMs)
    return startsMs.length > 0 && Math.min(...startsMs) >= writtenMs ? readFileSync(file, 'utf8') : undefined
  } catch {
    return undefined
  }
}

function childrenOf(pid: number): readonly number[] {
  const tasks = readdirSync(`/proc/${pid}/task`)
  return tasks.flatMap((task) =>
    readOr(`/proc/${pid}/task/${task}/children`, '').split(' ').filter(Boolean).map(Number),
  )
}

function readOr(file: string, fallback: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return fallback
  }
}
