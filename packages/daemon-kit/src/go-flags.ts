// Command-line flags as Go programs take them, from a table: `--a=b`, `--a b`, `-a b`, `--bool`, `--bool=false`.
// Two dialects: `flag` of the Go library (CoreDNS: `-conf f` and `--conf f` are one) and `pflag` (kube-proxy,
// ingress-nginx: one-letter shorthands, flags after arguments). Messages are those of the originals.

import type { Problem } from '@kubewire/kube-model'
import { type FlagValue, flagParsers } from './flag-values.ts'

/** One flag of a table. */
export type FlagDefinition = {
  readonly [K in keyof FlagValue]: {
    readonly kind: K
    readonly default: FlagValue[K]
    readonly help: string
    /** pflag only: one letter. */
    readonly shorthand?: string
    /** Why a value of the right type is still wrong, in the original's words; `undefined` when it is fine. */
    readonly check?: (value: FlagValue[K]) => string | undefined
    /** Accepted, left out of the usage text. */
    readonly isHidden?: boolean
  }
}[keyof FlagValue]

/** Flags by name, without dashes. */
export interface FlagTable {
  readonly [name: string]: FlagDefinition
}

/** The values that a table yields, by flag name. */
export type FlagValues<T extends FlagTable> = { readonly [N in keyof T]: FlagValue[T[N]['kind']] }

/** What a command line says. */
export interface ParsedFlags<T extends FlagTable> {
  readonly values: FlagValues<T>
  /** Names of the flags that were given: tells a default from the same value written out. */
  readonly given: ReadonlySet<string>
  /** Arguments that are no flags. */
  readonly args: readonly string[]
  /** `--help` or `-h` was asked for and the table has no flag of that name. */
  readonly isHelp: boolean
  /** Codes `KIT_FLAG_UNKNOWN`, `KIT_FLAG_VALUE`; messages as Go prints them. */
  readonly problems: readonly Problem[]
}

/** How a command line is read. */
export interface FlagOptions {
  /** `flag` (default) or `pflag`. */
  readonly dialect?: 'flag' | 'pflag'
  /** Flag names may be written with `_` for `-` (component-base `WordSepNormalizeFunc`). Default false. */
  readonly hasWordSeparators?: boolean
}

/**
 * Reads a command line (without program name) by a table. Never throws: what is wrong comes back as problems, the
 * flags concerned keep their defaults and the rest is still read.
 *
 * @example
 * const { values } = parseFlags({ conf: { kind: 'string', default: 'Corefile', help: 'file' } }, ['-conf', 'x'])
 * values.conf // 'x'
 */
export function parseFlags<const T extends FlagTable>(
  table: T,
  argv: readonly string[],
  options: FlagOptions = {},
): ParsedFlags<T> {
  const reading = newReading(table, options)
  const args: string[] = []
  const queue = [...argv]
  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    if (word === '--') {
      args.push(...queue.splice(0))
    } else if (word === '-' || !word.startsWith('-')) {
      args.push(word)
      // Go's flag package stops at the first argument; pflag goes on.
      if (reading.dialect === 'flag') args.push(...queue.splice(0))
    } else if (reading.dialect === 'pflag' && !word.startsWith('--')) {
      readShorthands(reading, word.slice(1), queue)
    } else {
      readLong(reading, word.replace(/^--?/, ''), queue)
    }
  }
  const { values, given, problems } = reading
  return { values: values as FlagValues<T>, given, args, isHelp: reading.isHelp, problems }
}

interface Reading {
  readonly table: FlagTable
  readonly dialect: 'flag' | 'pflag'
  readonly hasWordSeparators: boolean
  readonly values: Record<string, unknown>
  readonly given: Set<string>
  readonly problems: Problem[]
  isHelp: boolean
}

function newReading(table: FlagTable, options: FlagOptions): Reading {
  return {
    table,
    dialect: options.dialect ?? 'flag',
    hasWordSeparators: options.hasWordSeparators ?? false,
    values: Object.fromEntries(Object.entries(table).map(([name, flag]) => [name, flag.default])),
    given: new Set(),
    problems: [],
    isHelp: false,
  }
}

function readLong(reading: Reading, body: string, queue: string[]): void {
  const equals = body.indexOf('=')
  const written = equals < 0 ? body : body.slice(0, equals)
  const inline = equals < 0 ? undefined : body.slice(equals + 1)
  const name = reading.hasWordSeparators ? written.replaceAll('_', '-') : written
  const flag = flagOf(reading.table, name)
  if (flag === undefined) {
    noteUnknown(reading, name, queue)
    return
  }
  const text = inline ?? (flag.kind === 'bool' ? 'true' : queue.shift())
  if (text === undefined) noteProblem(reading, name, 'KIT_FLAG_VALUE', needsArgument(reading, name))
  else setFlag(reading, name, flag, text)
}

// pflag: `-v5`, `-v=5`, `-v 5`, and boolean letters in a row.
function readShorthands(reading: Reading, letters: string, queue: string[]): void {
  for (let rest = letters; rest !== ''; ) {
    const letter = rest.charAt(0)
    rest = rest.slice(1)
    const [name, flag] = Object.entries(reading.table).find(([key, f]) => (f.shorthand ?? key) === letter) ?? []
    if (name === undefined || flag === undefined) {
      if (letter === 'h') reading.isHelp = true
      else noteProblem(reading, letter, 'KIT_FLAG_UNKNOWN', `unknown shorthand flag: '${letter}' in -${letters}`)
      return
    }
    if (flag.kind === 'bool' && !rest.startsWith('=')) {
      setFlag(reading, name, flag, 'true')
      continue
    }
    const text = rest === '' ? queue.shift() : rest.replace(/^=/, '')
    if (text !== undefined) setFlag(reading, name, flag, text)
    else noteProblem(reading, name, 'KIT_FLAG_VALUE', `flag needs an argument: '${letter}' in -${letters}`)
    return
  }
}

function flagOf(table: FlagTable, name: string): FlagDefinition | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

function noteUnknown(reading: Reading, name: string, queue: string[]): void {
  if (name === 'help' || name === 'h') {
    reading.isHelp = true
    return
  }
  const isPflag = reading.dialect === 'pflag'
  noteProblem(
    reading,
    name,
    'KIT_FLAG_UNKNOWN',
    isPflag ? `unknown flag: --${name}` : `flag provided but not defined: -${name}`,
  )
  // An unknown flag may have had a value; without this the value would look like an argument.
  if (isPflag && queue[0] !== undefined && !queue[0].startsWith('-')) queue.shift()
}

function needsArgument(reading: Reading, name: string): string {
  return reading.dialect === 'pflag' ? `flag needs an argument: --${name}` : `flag needs an argument: -${name}`
}

function noteProblem(reading: Reading, name: string, code: string, message: string): void {
  const object = { kind: 'Flag', name }
  reading.problems.push({ code, severity: 'error', object, path: '', message, fallback: '' })
}

function setFlag(reading: Reading, name: string, flag: FlagDefinition, text: string): void {
  const before = reading.given.has(name) ? reading.values[name] : undefined
  const result = flagParsers[flag.kind](text, before)
  const wrong = result.error ?? (flag.check as ((value: unknown) => string | undefined) | undefined)?.(result.value)
  if (wrong !== undefined) {
    noteProblem(reading, name, 'KIT_FLAG_VALUE', invalidValue(reading, name, flag, text, wrong))
    return
  }
  reading.values[name] = result.value
  reading.given.add(name)
}

function invalidValue(reading: Reading, name: string, flag: FlagDefinition, text: string, wrong: string): string {
  const quoted = JSON.stringify(text)
  if (reading.dialect === 'pflag') {
    const short = flag.shorthand === undefined ? '' : `-${flag.shorthand}, `
    return `invalid argument ${quoted} for "${short}--${name}" flag: ${wrong}`
  }
  const what = flag.kind === 'bool' ? 'boolean value' : 'value'
  return `invalid ${what} ${quoted} for ${flag.kind === 'bool' ? '' : 'flag '}-${name}: ${wrong.replace(/^strconv\.\w+: parsing .*: /, '')}`
}
