// Files whose steps are words: a hand-written test each, that reads the file.

import type { CaseFile, ProbeResult } from '../../area.ts'

/** Runs a file of a word format. */
export async function runWordCase(format: string, _file: CaseFile): Promise<readonly ProbeResult[]> {
  return [{ probe: format, outcome: 'failed', detail: 'not written' }]
}
