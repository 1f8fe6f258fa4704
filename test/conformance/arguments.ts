// The runner's command line.

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Area, RunOptions } from './area.ts'
import { areaNames, isAreaName } from './area-table.ts'

/** What was asked for. */
export interface ConformanceArguments extends Omit<RunOptions, 'progress'> {
  readonly areas: readonly Area['name'][]
  /** A folder or file instead of the checkout's suites. */
  readonly cases?: string
  /** Only files whose `suite/name` contains this. */
  readonly name?: string
  readonly reporter: 'text' | 'json'
  readonly caseLimitMs: number
  /** Write today's failures to the list of known ones. */
  readonly recordsFailures: boolean
}

export const usage = `pnpm conformance [AREA] [options]

AREA is one of ${areaNames.join(', ')}; without it all run.
  --cases DIR              a folder (or file) of cases instead of all suites of the area
  --target ours|original   whom to ask; ours
  --api mini|real          which API server stands behind the daemons; mini
  --via real|library       running daemons, or in process; real
  -t NAME                  only files whose suite/name contains NAME
  --routes data|static     whether ingress-ts holds hosts as data or as servers of nginx.conf; data
  --set KEY=VALUE          a word for the area, may be repeated
  --reporter text|json     text
  --limit SECONDS          time for one case; 180
  --record-failures        write the failures to test/conformance/known-failures/
`

/** Reads the command line; an Error says what is wrong with it. `cwd` is where relative paths start. */
export function parseConformanceArguments(words: readonly string[], cwd: string): ConformanceArguments {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      cases: { type: 'string' },
      target: { type: 'string', default: 'ours' },
      api: { type: 'string', default: 'mini' },
      via: { type: 'string', default: 'real' },
      name: { type: 'string', short: 't' },
      routes: { type: 'string' },
      set: { type: 'string', multiple: true, default: [] },
      reporter: { type: 'string', default: 'text' },
      limit: { type: 'string', default: '180' },
      'record-failures': { type: 'boolean', default: false },
    },
  })
  const wrong = positionals.filter((word) => !isAreaName(word))
  if (wrong.length > 0) throw new Error(`expected one of ${areaNames.join(', ')}, found ${wrong.join(' ')}`)
  return {
    areas: positionals.length > 0 ? positionals.filter(isAreaName) : areaNames,
    ...(values.cases === undefined ? {} : { cases: resolve(cwd, values.cases) }),
    ...(values.name === undefined ? {} : { name: values.name }),
    target: oneOf('--target', values.target, ['ours', 'original']),
    api: oneOf('--api', values.api, ['mini', 'real']),
    via: oneOf('--via', values.via, ['real', 'library']),
    settings: {
      ...Object.fromEntries(values.set.map(splitSetting)),
      ...(values.routes === undefined ? {} : { routes: oneOf('--routes', values.routes, ['data', 'static']) }),
    },
    reporter: oneOf('--reporter', values.reporter, ['text', 'json']),
    caseLimitMs: Number(values.limit) * 1000,
    recordsFailures: values['record-failures'],
  }
}

function oneOf<T extends string>(flag: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value)
  if (found === undefined) throw new Error(`${flag}: expected one of ${allowed.join(', ')}, found ${value}`)
  return found
}

function splitSetting(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new Error(`--set: expected KEY=VALUE, found ${text}`)
  return [text.slice(0, at), text.slice(at + 1)]
}
