// Runs cases of one area and collects what every probe gave. Nothing is hidden here: a file with unknown keys, a file
// that nobody claims, an error and a case that does not end are failures.

import type { Area, AreaRun, CaseFile, ProbeResult, RunOptions } from './area.ts'
import type { FoundCases } from './find-cases.ts'

/** One file with its probes. */
export interface FileResult {
  readonly suite: string
  readonly name: string
  readonly probes: readonly ProbeResult[]
}

/** What `runCases` is told besides the options of the area. */
export interface RunCasesOptions extends RunOptions {
  /** A case that takes longer has failed, and the area is opened anew. */
  readonly caseLimitMs: number
  readonly onFile?: (result: FileResult) => void
}

/**
 * Runs the cases one after the other.
 *
 * @param found - cases of this area and files that could not be read
 * @throws Error of `area.open`, which says what is missing
 */
export async function runCases(
  area: Area,
  found: FoundCases,
  options: RunCasesOptions,
): Promise<readonly FileResult[]> {
  const results: FileResult[] = []
  const add = (file: { readonly suite: string; readonly name: string }, probes: readonly ProbeResult[]): void => {
    const result = { suite: file.suite, name: file.name, probes }
    results.push(result)
    options.onFile?.(result)
  }
  for (const file of found.broken) add(file, [failed('file', file.reason)])
  let run: AreaRun | undefined
  try {
    for (const file of found.cases) {
      const fault = faultOfFile(area, file)
      if (fault !== undefined) {
        add(file, [failed('keys', fault)])
        continue
      }
      run ??= await area.open(options)
      const outcome = await runCase(run, file, options.caseLimitMs)
      add(file, outcome.probes)
      if (outcome.hasHung) {
        await closeWithin(run, 10_000)
        run = undefined
      }
    }
  } finally {
    await run?.close()
  }
  return results
}

/** Why a file cannot be run as it stands, or undefined. */
export function faultOfFile(area: Area, file: CaseFile): string | undefined {
  if (!area.claims(file.data)) return `not a case of ${area.name}: its keys are ${Object.keys(file.data).join(', ')}`
  const unknown = area.unknownKeys(file)
  return unknown.length === 0 ? undefined : `unknown keys: ${unknown.join(', ')}`
}

/** Runs one case; errors and a missing end become failed probes. */
export async function runCase(
  run: AreaRun,
  file: CaseFile,
  limitMs: number,
): Promise<{ readonly probes: readonly ProbeResult[]; readonly hasHung: boolean }> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<'hung'>((resolve) => {
    timer = setTimeout(resolve, limitMs, 'hung')
  })
  try {
    const probes = await Promise.race([run.runCase(file), limit])
    if (probes === 'hung') return { probes: [failed('case', `no end after ${limitMs} ms`)], hasHung: true }
    return { probes: probes.length > 0 ? probes : [failed('case', 'it holds no probe')], hasHung: false }
  } catch (error) {
    return {
      probes: [failed('case', error instanceof Error ? (error.stack ?? error.message) : String(error))],
      hasHung: false,
    }
  } finally {
    clearTimeout(timer)
  }
}

function failed(probe: string, detail: string): ProbeResult {
  return { probe, outcome: 'failed', detail }
}

async function closeWithin(run: AreaRun, limitMs: number): Promise<void> {
  await Promise.race([run.close().catch(() => {}), new Promise((resolve) => setTimeout(resolve, limitMs))])
}
