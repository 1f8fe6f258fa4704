// The demo without root: says what is missing.

import { type ExitCode, exitCode } from '../command.ts'
import type { Output } from '../output.ts'

/** Says why the real demo cannot run. */
export async function runWithoutRoot(_folder: string, reasons: readonly string[], output: Output): Promise<ExitCode> {
  for (const reason of reasons) output.note(`${reason}\n`)
  return exitCode.findings
}
