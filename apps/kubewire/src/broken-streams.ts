// What happens when standard output or standard error cannot be written.

/** How the process ends then. */
export interface StreamEnd {
  readonly exitCode: number
  /** For standard error; none where nobody needs to hear it. */
  readonly message?: string
}

/** A reader that stops reading (`| head`) ends us as the signal would, without a word; anything else is said. */
export function endOfOutput({ code = '', message }: NodeJS.ErrnoException): StreamEnd {
  // 128 + SIGPIPE, which Node.js ignores.
  if (code === 'EPIPE') return { exitCode: 141 }
  const why = code === 'ENOSPC' ? 'no space left on the device' : message
  return { exitCode: 3, message: `kubewire: standard output cannot be written: ${why}\n` }
}

/** Watches the streams of this process. */
export function watchStreams(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    const { exitCode, message = '' } = endOfOutput(error)
    if (message === '') process.exit(exitCode)
    process.stderr.write(message, () => process.exit(exitCode))
  })
  // There is nowhere left to say it, and the data is what counts.
  process.stderr.on('error', () => {})
}
