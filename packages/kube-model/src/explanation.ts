// The tree that every simulator returns: where we are, what matched, why, what changed. One renderer for all.

import { type ObjectRef, printRef } from './objects/meta.ts'

/** One step of an explanation; children are the steps inside it. */
export interface Explanation {
  /** Where: a plugin, a chain, a server or location block. */
  readonly where: string
  /** What happened there, in one sentence. */
  readonly what: string
  /** Why, when it is not obvious from `what`. */
  readonly why?: string
  /** What changed: `dst 10.96.4.4:80 → 10.20.3.4:8080`. */
  readonly changed?: string
  /** Probability of getting here, 0 to 1, where the path was picked at random. */
  readonly probability?: number
  /** Objects this step comes from. */
  readonly origin?: readonly ObjectRef[]
  readonly steps?: readonly Explanation[]
}

/** Prints an explanation as an indented list, one line a step; ends with a newline. */
export function printExplanation(explanation: Explanation, indent = 0): string {
  const { where, what, why, changed, probability, origin, steps = [] } = explanation
  const chance = probability === undefined || probability === 1 ? '' : ` [${printPercent(probability)}]`
  const notes = [
    ...(changed === undefined ? [] : [changed]),
    ...(why === undefined ? [] : [`because ${why}`]),
    ...(origin === undefined || origin.length === 0 ? [] : [`from ${origin.map(printRef).join(', ')}`]),
  ]
  const tail = notes.length === 0 ? '' : ` (${notes.join('; ')})`
  const line = `${'  '.repeat(indent)}${where}: ${what}${chance}${tail}\n`
  return line + steps.map((step) => printExplanation(step, indent + 1)).join('')
}

/** `33.3%`; whole numbers without a point. */
export function printPercent(probability: number): string {
  return `${(probability * 100).toFixed(1).replace(/\.0$/, '')}%`
}
