// Lists of probes that are known to fail, one file per area and way of running. They exist so that `npm test` can be
// green below 100 % without hiding anything: a listed probe that passes is an error, so the lists only get shorter.
// The runner itself never reads them.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Area, ProbeResult, RunOptions } from './area.ts'

const folder = join(dirname(fileURLToPath(import.meta.url)), 'known-failures')

/** The listed probes, `suite/name: probe`. */
export function readKnownFailures(area: Area['name'], via: RunOptions['via']): ReadonlySet<string> {
  const path = join(folder, `${area}-${via}.txt`)
  return new Set(existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [])
}

/** Writes the list; an empty one is no file. */
export function writeKnownFailures(area: Area['name'], via: RunOptions['via'], probes: readonly string[]): void {
  const path = join(folder, `${area}-${via}.txt`)
  rmSync(path, { force: true })
  if (probes.length === 0) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(path, `${[...new Set(probes)].sort().join('\n')}\n`)
}

/** How a probe is written in a list: one line, whatever its name holds. */
export function knownFailureLine(file: string, probe: string): string {
  return `${file}: ${probe.replaceAll(/\s+/g, ' ')}`
}

/**
 * What is new about a file's probes: failures that are not listed, and listed ones that passed or no longer exist.
 *
 * @param file - `suite/name`
 */
export function compareWithKnown(
  file: string,
  probes: readonly ProbeResult[],
  known: ReadonlySet<string>,
): { readonly news: readonly string[]; readonly stillFailing: number } {
  const listed = [...known].filter((line) => line.startsWith(`${file}: `))
  const failing = new Map(
    probes
      .filter((one) => one.outcome === 'failed')
      .map((one) => [knownFailureLine(file, one.probe), one.detail ?? ''] as const),
  )
  const fresh = [...failing].filter(([line]) => !known.has(line)).map(([line, detail]) => `${line}\n${detail}`)
  const gone = listed.filter((line) => !failing.has(line)).map((line) => `${line}\npasses now: remove it from the list`)
  return { news: [...fresh, ...gone], stillFailing: failing.size - fresh.length }
}
