// `pnpm conformance`: runs case files against our programs or the originals and counts probes. Exit status 1 when a
// probe failed or an area could not be opened.

import type { Area } from './area.ts'
import { loadArea } from './area-table.ts'
import { type ConformanceArguments, parseConformanceArguments, usage } from './arguments.ts'
import { casesBelow, casesOfArea, type FoundCases } from './find-cases.ts'
import { knownFailureLine, writeKnownFailures } from './known-failures.ts'
import { buildReport, printFile, printReport } from './report.ts'
import { type FileResult, runCases } from './run-cases.ts'
import { splitByArea } from './split-by-area.ts'

// Namespaces and daemons are removed when this process exits; a signal alone would not let it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

process.exitCode = await main(process.argv.slice(2))
// Sockets and children that an area forgot must not keep a finished run alive.
setTimeout(() => process.exit(), 2000).unref()

async function main(words: readonly string[]): Promise<number> {
  if (words.includes('--help') || words.includes('-h')) {
    console.log(usage)
    return 0
  }
  let options: ConformanceArguments
  try {
    options = parseConformanceArguments(words, process.env['INIT_CWD'] ?? process.cwd())
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`)
    return 2
  }
  const results: FileResult[] = []
  for (const name of options.areas) results.push(...(await runArea(name, options)))
  const report = buildReport(results)
  if (options.reporter === 'json') console.log(JSON.stringify({ ...options, ...report }, undefined, 2))
  else process.stdout.write(printReport(report))
  return report.total.failed > 0 || report.total.passed + report.total.skipped === 0 ? 1 : 0
}

/** Runs one area; that it cannot be opened is reported as a failure, which keeps the exit status honest. */
async function runArea(name: Area['name'], options: ConformanceArguments): Promise<readonly FileResult[]> {
  const done: FileResult[] = []
  const isText = options.reporter === 'text'
  try {
    const area = await loadArea(name)
    const found = selectByName(await casesFor(area, options), options.name)
    await runCases(area, found, {
      ...options,
      progress: (line) => console.error(line),
      onFile: (result) => {
        done.push(result)
        if (isText) process.stdout.write(printFile(result))
      },
    })
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    const result: FileResult = { suite: name, name: '(area)', probes: [{ probe: 'open', outcome: 'failed', detail }] }
    if (isText) process.stdout.write(printFile(result))
    return [...done, result]
  }
  if (options.recordsFailures) recordFailures(name, options, done)
  return done
}

async function casesFor(area: Area, { cases, areas }: ConformanceArguments): Promise<FoundCases> {
  if (cases === undefined) return casesOfArea(area)
  const { ours, elsewhere } = await splitByArea(area, casesBelow(cases), areas[0] === area.name)
  for (const [other, count] of elsewhere) {
    if (!areas.includes(other)) console.error(`${count} files of ${cases} belong to the area ${other}`)
  }
  return ours
}

function selectByName({ cases, broken }: FoundCases, name: string | undefined): FoundCases {
  const fits = (file: { readonly suite: string; readonly name: string }): boolean =>
    name === undefined || `${file.suite}/${file.name}`.includes(name)
  return { cases: cases.filter(fits), broken: broken.filter(fits) }
}

function recordFailures(area: Area['name'], { via }: ConformanceArguments, results: readonly FileResult[]): void {
  const failures = buildReport(results).failures.map(({ file, probe }) => knownFailureLine(file, probe))
  writeKnownFailures(area, via, failures)
}
