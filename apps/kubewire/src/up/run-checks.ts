// Runs all checks one after the other, a line each.

import { type ExitCode, exitCode } from '../exit-code.ts'
import type { Output } from '../output.ts'
import { type Check, runCheck } from './checks/check.ts'

/** The plan line, `ok` and `not ok` lines, and a sum; ends early when a daemon does. */
export async function runChecks<World>(
  list: readonly Check<World>[],
  world: World,
  output: Output,
  stopped: Promise<string>,
): Promise<ExitCode> {
  const counts = { ok: 0, 'not ok': 0, skipped: 0 }
  let number = 0
  output.data(`1..${list.length}\n`)
  for (const check of list) {
    number += 1
    const result = await Promise.race([runCheck(check, world, number), stopped])
    if (typeof result === 'string') {
      output.data(`not ok ${number} - ${check.name}: ${result}\n`)
      return exitCode.findings
    }
    counts[result.verdict] += 1
    output.data(`${result.line}\n`)
  }
  const skipped = counts.skipped === 0 ? '' : `, ${counts.skipped} skipped`
  output.data(`# ${counts.ok} ok, ${counts['not ok']} not ok${skipped}\n`)
  return counts['not ok'] === 0 ? exitCode.fine : exitCode.findings
}
