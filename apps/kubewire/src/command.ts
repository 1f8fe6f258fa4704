// What a command is: its flags, its words for people, and what it does with a parsed command line.

import type { FlagTable, FlagValues } from '@kubewire/daemon-kit'
import type { Output } from './output.ts'

/** Exit codes, the same for every command. */
export const exitCode = {
  /** Done, nothing to report. */
  fine: 0,
  /** Done; something was found that a person should look at. */
  findings: 1,
  /** The command line makes no sense. */
  usage: 2,
  /** A file, folder or standard input could not be read or understood. */
  unreadable: 3,
  /** No API server answered. */
  unreachable: 4,
} as const

/** One of `exitCode`. */
export type ExitCode = (typeof exitCode)[keyof typeof exitCode]

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
  readonly flags: FlagTable
  readonly run: (invocation: Invocation<never>) => Promise<ExitCode>
}

/** Ties a command's `run` to the types of its own flags. */
export function defineCommand<const T extends FlagTable>(definition: {
  readonly usage: string
  readonly flags: T
  readonly run: (invocation: Invocation<T>) => Promise<ExitCode>
}): Command {
  return definition as unknown as Command
}

/** The command line makes no sense; `main` prints the message and where to find help. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Something to be read could not be; `main` prints the message. */
export class InputError extends Error {
  override readonly name = 'InputError'
}
