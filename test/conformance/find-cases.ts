// Case files of a folder or of the checkout's suites, parsed. A file that cannot be read as YAML is kept, with the
// reason, so that the runner reports it instead of passing over it.

import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import type { Area, CaseFile } from './area.ts'

/** What a search found: cases in order of their paths, and files that are none. */
export interface FoundCases {
  readonly cases: readonly CaseFile[]
  readonly broken: readonly {
    readonly path: string
    readonly suite: string
    readonly name: string
    readonly reason: string
  }[]
}

const casesDir = join(dirname(fileURLToPath(import.meta.url)), 'cases')

/** The cases of all suites of an area in this checkout. */
export function casesOfArea(area: Area): FoundCases {
  const found = area.suites.map((suite) => casesIn(join(casesDir, suite), suite))
  return { cases: found.flatMap((one) => one.cases), broken: found.flatMap((one) => one.broken) }
}

/** The cases below a folder of any name, or one file; subfolders are suites. */
export function casesBelow(path: string): FoundCases {
  return /\.ya?ml$/.test(path) ? readCases([path], () => basename(dirname(path))) : casesIn(path)
}

function casesIn(dir: string, suite?: string): FoundCases {
  const paths = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  return readCases(paths, (path) => suite ?? (relative(dir, dirname(path)) || basename(dir)))
}

function readCases(paths: readonly string[], suiteOf: (path: string) => string): FoundCases {
  const cases: CaseFile[] = []
  const broken: FoundCases['broken'][number][] = []
  for (const path of paths) {
    const file = { path, suite: suiteOf(path), name: basename(path).replace(/\.ya?ml$/, '') }
    const data = readYaml(path)
    if (typeof data === 'string') broken.push({ ...file, reason: data })
    else cases.push({ ...file, data })
  }
  return { cases, broken }
}

/** The mapping in a file, or the reason why there is none. */
function readYaml(path: string): Readonly<Record<string, unknown>> | string {
  try {
    const data: unknown = parse(readFileSync(path, 'utf8'), { merge: true, maxAliasCount: -1 })
    const isMapping = typeof data === 'object' && data !== null && !Array.isArray(data)
    return isMapping ? (data as Readonly<Record<string, unknown>>) : 'expected a mapping of keys'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
