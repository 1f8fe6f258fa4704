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
  let failures = 0
  let number = 0
  output.data(`1..${list.length}\n`)
  for (const check of list) {
    number += 1
    const result = await Promise.race([runCheck(check, world, number), stopped])
    if (typeof result === 'string') {
      output.data(`not ok ${number} - ${check.name}: ${result}\n`)
      return exitCode.findings
    }
    if (!result.isOk) failures += 1
    output.data(`${result.line}\n`)
  }
  output.data(`# ${list.length - failures} ok, ${failures} not ok\n`)
  return failures === 0 ? exitCode.fine : exitCode.findings
}
