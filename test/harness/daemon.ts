// Our executables as processes: bundled from source once per test process, started (in a namespace), waited for.
// Bundles lie under node_modules/.cache; those of processes that are gone are removed.

import { existsSync, readdirSync, rmSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleEntry, bundlePage, executables } from '../../tools/bundle-entry.mjs'
import type { Netns } from './netns.ts'
import { type ProgramOptions, type RunningProgram, startProgram } from './process.ts'

/** An executable of ours, or the path of any TypeScript entry file. */
export type DaemonName = keyof typeof executables | `${string}.ts`

/** What to start and when it counts as started. */
export interface DaemonOptions extends Omit<ProgramOptions, 'program'> {
  readonly daemon: DaemonName
  /** Where; this process's own namespace when absent. */
  readonly netns?: Netns
  /** Asked every 25 ms until it says yes. Absent: ready at once. */
  readonly isReady?: (daemon: RunningProgram) => boolean | Promise<boolean>
  /** Limit for that, 15 s when absent. */
  readonly readyLimitMs?: number
  /** Shell commands before it in the same mount namespace, which is its own where `netns` is given. */
  readonly prepare?: string
}

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const cacheDir = join(root, 'node_modules/.cache/test-bundles')
const bundles = new Map<string, Promise<string>>()

/**
 * Starts an executable from source. It is ended by `stop`, by closing its namespace, or with this process.
 *
 * @throws Error with the output when it ends, or is not ready in time
 */
export async function startDaemon(options: DaemonOptions): Promise<RunningProgram> {
  const { daemon, netns, isReady, readyLimitMs, prepare, ...rest } = options
  const file = await bundleDaemon(daemon)
  const words = [process.execPath, '--enable-source-maps', file, ...(options.args ?? [])]
  const all = prepare === undefined ? words : ['sh', '-c', `${prepare}; exec "$0" "$@"`, ...words]
  const program = { ...rest, program: all[0] as string, args: all.slice(1) }
  const running = netns === undefined ? startProgram(program) : netns.start(program)
  if (isReady === undefined) return running
  try {
    await running.waitUntil(() => isReady(running), readyLimitMs)
  } catch (error) {
    await running.stop('SIGKILL')
    throw error
  }
  return running
}

/** The bundled file of an executable, for whoever starts it in another way. */
export function bundleDaemon(daemon: DaemonName): Promise<string> {
  let bundle = bundles.get(daemon)
  if (bundle === undefined) {
    if (bundles.size === 0) prepareCache()
    bundle = bundleOne(daemon, join(cacheDir, String(process.pid), String(bundles.size)))
    bundles.set(daemon, bundle)
  }
  return bundle
}

async function bundleOne(daemon: DaemonName, outDir: string): Promise<string> {
  if (daemon in executables) {
    const { entry, lua, page } = executables[daemon as keyof typeof executables]
    const file = await bundleEntry(entry, outDir, lua)
    if (page !== undefined) await bundlePage(page, join(dirname(file), 'ui'))
    return file
  }
  return bundleEntry(isAbsolute(daemon) ? daemon : join(root, daemon), outDir)
}

function prepareCache(): void {
  for (const pid of existsSync(cacheDir) ? readdirSync(cacheDir) : []) {
    if (!existsSync(join('/proc', pid))) rmSync(join(cacheDir, pid), { recursive: true, force: true })
  }
  process.on('exit', () => rmSync(join(cacheDir, String(process.pid)), { recursive: true, force: true }))
}
