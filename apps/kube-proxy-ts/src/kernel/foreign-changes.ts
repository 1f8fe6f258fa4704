// Notices single rules that somebody else changed, which the canary does not: every period a few chains are compared
// with what was installed, so that all of them have their turn sooner or later.

import type { Clock } from '@kubewire/daemon-kit'

/** What the audit needs. */
export interface ForeignChangesOptions {
  /** Looks at the next chains and says what is wrong, in words. */
  readonly audit: () => Promise<string | undefined>
  readonly periodMs: number
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Something is not as it was installed. */
  readonly onFound: (what: string) => void
  readonly onProblem: (message: string) => void
}

/** Looks every period until the signal aborts. */
export async function watchForeignChanges(options: ForeignChangesOptions): Promise<void> {
  const { audit, periodMs, clock, signal, onFound, onProblem } = options
  for (;;) {
    await clock.sleep(periodMs, signal)
    if (signal.aborted) return
    try {
      const found = await audit()
      if (found !== undefined && !signal.aborted) onFound(found)
    } catch (error) {
      onProblem(`could not look at the installed rules: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}
