// Signals are only noted, so that what the demo made is removed in order; a second one changes nothing.

/** The first signal to this process, as something to ask and something to wait for. */
export interface UntilSignal {
  /** Aborts with the name of the signal. */
  readonly signal: AbortSignal
  /** Resolves with its name. */
  readonly signalled: Promise<string>
  /** Gives the signals their ordinary meaning back. */
  forget(): void
}

/** Listens from now on. */
export function untilSignal(): UntilSignal {
  const controller = new AbortController()
  const signalled = new Promise<string>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve(String(controller.signal.reason)))
  })
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const listener = (name: NodeJS.Signals): void => controller.abort(name)
  for (const name of names) process.on(name, listener)
  return {
    signal: controller.signal,
    signalled,
    forget: () => {
      for (const name of names) process.removeListener(name, listener)
    },
  }
}
