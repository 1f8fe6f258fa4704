// What a command is: its flags, its words for people, and what it does with a parsed command line.

import type { FlagTable, FlagValues } from '@kubewire/daemon-kit'
import type { ExitCode } from './exit-code.ts'
import type { Output } from './output.ts'

/** The parsed command line and the way out. */
export interface Invocation<T extends FlagTable> {
  readonly values: FlagValues<T>
  readonly given: ReadonlySet<string>
  readonly args: readonly string[]
  readonly output: Output
}

/** A command with its flags erased, as the registry holds it. */
export interface Command {
  /** After the command's name: `NAME [TYPE]`. */
  readonly usage: string
  /** Whether words beside the flags mean something; otherwise they are refused. */
  readonly takesWords?: boolean
  readonly flags: FlagTable
  readonly run: (invocation: Invocation<never>) => Promise<ExitCode>
}

/** Ties a command's `run` to the types of its own flags. */
export function defineCommand<const T extends FlagTable>(definition: {
  readonly usage: string
  readonly takesWords?: boolean
  readonly flags: T
  readonly run: (invocation: Invocation<T>) => Promise<ExitCode>
}): Command {
  return definition as unknown as Command
}
