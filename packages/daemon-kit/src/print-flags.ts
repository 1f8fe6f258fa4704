// A table of flags as Go prints it for `--help`, in the shape of either dialect.

import { printGoDuration } from '@kubewire/kube-model'
import type { FlagDefinition, FlagOptions, FlagTable } from './go-flags.ts'

/** The flags of a table as Go prints them for `--help`, sorted by name. */
export function printFlags(table: FlagTable, options: FlagOptions = {}): string {
  const flags = Object.entries(table)
    .filter(([, flag]) => flag.isHidden !== true)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  if (options.dialect === 'pflag') return printPflags(flags)
  return flags.map(([name, flag]) => `  -${name}${typeWord(flag)}\n    \t${flag.help}${defaultNote(flag)}\n`).join('')
}

function printPflags(flags: readonly (readonly [string, FlagDefinition])[]): string {
  const heads = flags.map(([name, flag]) => {
    const short = flag.shorthand === undefined ? '      ' : `  -${flag.shorthand}, `
    return `${short}--${name}${typeWord(flag)}`
  })
  const width = Math.max(0, ...heads.map((head) => head.length)) + 3
  return flags.map(([, flag], i) => `${heads[i]?.padEnd(width)}${flag.help}${defaultNote(flag)}\n`).join('')
}

function typeWord(flag: FlagDefinition): string {
  const words = { bool: '', list: ' strings', array: ' stringArray', map: ' mapStringString' } as const
  return flag.kind in words ? words[flag.kind as keyof typeof words] : ` ${flag.kind}`
}

function defaultNote(flag: FlagDefinition): string {
  const { kind } = flag
  if (kind === 'string') return flag.default === '' ? '' : ` (default ${JSON.stringify(flag.default)})`
  if (kind === 'duration') return flag.default === 0 ? '' : ` (default ${printGoDuration(flag.default)})`
  if (kind === 'list' || kind === 'array')
    return flag.default.length === 0 ? '' : ` (default [${flag.default.join(',')}])`
  if (kind === 'map') return ''
  return flag.default === false || flag.default === 0 ? '' : ` (default ${flag.default})`
}
