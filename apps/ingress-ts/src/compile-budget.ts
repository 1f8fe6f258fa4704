// How soon V8's optimising compiler takes a function, in bytes of bytecode that it has run (default 67,584). With thousands
// of Ingresses half of a start was that compiler, for code that runs once.

import { setFlagsFromString } from 'node:v8'

const budgets = { start: 1_200_000, running: 400_000 } as const

/** For the first translation of everything, and for what follows it: a change runs less of the code, more often. */
export function setCompileBudget(phase: keyof typeof budgets): void {
  setFlagsFromString(`--interrupt-budget=${budgets[phase]}`)
}
