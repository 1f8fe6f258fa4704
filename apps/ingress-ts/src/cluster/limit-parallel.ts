// Bounds how much is under way at once: the rest waits its turn, in order.

/** Runs a task once there is room for it. */
export type ParallelLimit = <T>(task: () => Promise<T>) => Promise<T>

/** Lets at most `most` tasks run at a time. */
export function limitParallel(most: number): ParallelLimit {
  const waiting: (() => void)[] = []
  let running = 0
  return async (task) => {
    // Whoever ends hands over its place, so that nobody overtakes.
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
