// One line on a terminal that says what is being done, when it takes longer than a second; nothing anywhere else.

/** Where the line is written, and the time. */
export interface ProgressPorts {
  readonly isTerminal: boolean
  readonly write: (text: string) => void
  readonly nowMs: () => number
}

/** The line. */
export interface ProgressLine {
  /** Shows what is done now, if it is time to. */
  show(text: string): void
  /** Takes the line away before something else is written. */
  clear(): void
}

const patienceMs = 1000
const betweenMs = 100

/** A line that shows itself after a second; time counts from here. */
export function createProgressLine({ isTerminal, write, nowMs }: ProgressPorts): ProgressLine {
  const beginMs = nowMs()
  let shownMs = 0
  let isShown = false
  return {
    show(text) {
      const now = nowMs()
      if (!isTerminal || now - beginMs < patienceMs || now - shownMs < betweenMs) return
      shownMs = now
      isShown = true
      write(`\r\u001b[K${text.slice(0, 78)}`)
    },
    clear() {
      if (isShown) write('\r\u001b[K')
      isShown = false
    },
  }
}
