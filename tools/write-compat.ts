// `pnpm compat [AREA...] [--modes library,real,original]`: runs the conformance cases in these ways, keeps the sums in
// `docs/compat/results.json` and writes the pages. `--pages` writes the pages from the kept sums alone.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ConformanceReport } from '../test/conformance/report.ts'
import { type CompatMode, type CompatResult, type CompatResults, printCompatPage } from './compat/compat-page.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dir = join(root, 'docs/compat')
const resultsFile = join(dir, 'results.json')
const flags: Readonly<Record<CompatMode, readonly string[]>> = {
  library: ['--via', 'library'],
  real: ['--via', 'real'],
  original: ['--target', 'original'],
}

main(process.argv.slice(2))

function main(words: readonly string[]): void {
  const modesAt = words.indexOf('--modes')
  const modes = (modesAt < 0 ? 'library,real,original' : (words[modesAt + 1] ?? '')).split(',') as CompatMode[]
  const named = words.filter((word, at) => !word.startsWith('--') && (modesAt < 0 || at !== modesAt + 1))
  const areas = named.length > 0 ? named : ['api', 'dns', 'proxy', 'ingress']
  for (const area of words.includes('--pages') ? [] : areas) {
    for (const mode of modes) {
      // ingress-nginx cannot be built from Go modules alone; its recorded suites stand in.
      if (area === 'ingress' && mode === 'original') continue
      keep(area, mode, runConformance(area, mode))
    }
  }
  for (const area of areas) {
    const results = readResults()[area]
    if (results !== undefined) writeFileSync(join(dir, `${area}.md`), printCompatPage(area, results))
  }
}

/** Runs the cases of an area; an area that cannot be opened shows up as a failed `(area)`. */
function runConformance(area: string, mode: CompatMode): CompatResult {
  const args = ['--conditions=@kubewire/source', 'test/conformance/main.ts', area, ...flags[mode], '--reporter', 'json']
  const run = spawnSync(join(root, 'node_modules/.bin/tsx'), args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e9,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const report = JSON.parse(run.stdout) as ConformanceReport
  console.log(
    `${area} ${mode}: ${report.total.passed} passed, ${report.total.failed} failed, ${report.total.skipped} skipped`,
  )
  return {
    suites: report.suites,
    total: report.total,
    failing: countBy(report.failures.map(({ file }) => file)),
    notRunnable: countBy(report.skips.map(({ detail }) => detail)),
  }
}

function countBy(words: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}

function keep(area: string, mode: CompatMode, result: CompatResult): void {
  const all = readResults()
  mkdirSync(dir, { recursive: true })
  writeFileSync(resultsFile, `${JSON.stringify({ ...all, [area]: { ...all[area], [mode]: result } }, undefined, 2)}\n`)
}

function readResults(): Readonly<Record<string, CompatResults>> {
  return existsSync(resultsFile) ? (JSON.parse(readFileSync(resultsFile, 'utf8')) as Record<string, CompatResults>) : {}
}
