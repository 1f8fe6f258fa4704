// The folder of a demo: its files and the process that runs it. A demo whose process is gone left its network behind;
// the next one of the same name removes it.

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DemoError } from './netns.ts'
import { removeNetwork } from './network.ts'
import type { DemoPlan } from './plan.ts'

/**
 * Takes the folder for this process.
 *
 * @returns whether something was left behind by a dead demo, and is now removed
 */
export async function claimStateFolder(plan: DemoPlan): Promise<boolean> {
  const pidPath = join(plan.stateFolder, 'pid')
  const owner = Number(await readFile(pidPath, 'utf8').catch(() => ''))
  if (owner > 0 && owner !== process.pid && (await isDemo(owner))) {
    throw new DemoError(`a demo called ${plan.name} is up already (process ${owner}); end it, or choose another --name`)
  }
  await removeNetwork(plan)
  await rm(plan.stateFolder, { recursive: true, force: true })
  await mkdir(plan.stateFolder, { recursive: true, mode: 0o755 })
  await writeFile(pidPath, `${process.pid}\n`)
  return owner > 0
}

/** Removes the folder and everything in it. */
export async function releaseStateFolder(plan: DemoPlan): Promise<void> {
  await rm(plan.stateFolder, { recursive: true, force: true })
}

// Process numbers are used again: only a process that looks like this program counts.
async function isDemo(pid: number): Promise<boolean> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return command.split('\0').includes('up')
}
