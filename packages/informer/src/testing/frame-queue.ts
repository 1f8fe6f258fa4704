// An async iterable that is pushed to: what a scripted watch hands out.

/** A queue with one reader. */
export interface FrameQueue<F> {
  push(frame: F): void
  /** Ends the iteration after what was pushed, with an error if given. */
  end(error?: Error): void
  frames(): AsyncIterable<F>
  /** Resolves when the reader is gone. */
  readonly closed: Promise<void>
}

/** A queue that ends when the signal aborts. */
export function createFrameQueue<F>(signal: AbortSignal): FrameQueue<F> {
  const waiting: F[] = []
  let isEnded = false
  let failure: Error | undefined
  let wake: (() => void) | undefined
  let close: () => void = () => undefined
  const closed = new Promise<void>((resolve) => {
    close = resolve
  })
  const end = (error?: Error): void => {
    isEnded = true
    failure ??= error
    wake?.()
  }
  let isRead = false
  signal.addEventListener('abort', () => {
    end()
    // A reader that never began has no end either.
    if (!isRead) close()
  })
  return {
    push: (frame) => {
      waiting.push(frame)
      wake?.()
    },
    end,
    frames: async function* () {
      isRead = true
      try {
        for (;;) {
          while (waiting.length > 0 && !signal.aborted) yield waiting.shift() as F
          if (isEnded) break
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
        if (failure !== undefined && !signal.aborted) throw failure
      } finally {
        close()
      }
    },
    closed,
  }
}
