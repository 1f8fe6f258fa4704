// How a command ends: with a code, or with an error that stands for one.

/** Exit codes, the same for every command. */
export const exitCode = {
  /** Done, nothing to report. */
  fine: 0,
  /** Done; something was found that a person should look at. */
  findings: 1,
  /** The command line makes no sense. */
  usage: 2,
  /** A file, folder or standard input could not be read or understood, or standard output not be written. */
  unreadable: 3,
  /** No API server answered. */
  unreachable: 4,
} as const

/** One of `exitCode`. */
export type ExitCode = (typeof exitCode)[keyof typeof exitCode]

/** The command line makes no sense; `main` prints the message and where to find help. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Something to be read could not be; `main` prints the message. */
export class InputError extends Error {
  override readonly name = 'InputError'
}

/** No API server answered, or none is configured; `main` prints the message. */
export class ClusterError extends Error {
  override readonly name = 'ClusterError'
}
