// The flags of a command line as pflag prints their values, given or not: what `/flagz` shows.

import type { FlagDefinition, FlagTable } from '@kubewire/daemon-kit'
import { printGoDuration } from '@kubewire/kube-model'

/** Every flag of a table by name, with the text of its value. */
export function flagTexts(table: FlagTable, values: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(table).map(([name, { kind }]) => [name, printValue(kind, values[name])]))
}

function printValue(kind: FlagDefinition['kind'], value: unknown): string {
  switch (kind) {
    case 'duration':
      return printGoDuration(value as number)
    case 'list':
    case 'array':
      return `[${(value as readonly string[]).join(',')}]`
    case 'map':
      return Object.entries(value as Readonly<Record<string, string>>)
        .map(([key, text]) => `${key}=${text}`)
        .sort()
        .join(',')
    default:
      return String(value)
  }
}
