// Request tables for tests: what a configuration does with a request, one row each. A failing row prints the trace.

import { printExplanation } from '@kubewire/kube-model'
import { describe, it } from 'vitest'
import type { ConfigTree } from '../config/node.ts'
import { explainRequest } from '../explain.ts'
import { type SimulateOptions, simulateRequest } from '../simulate/run.ts'
import { answersOf, readRequest } from './read-request.ts'
import type { RequestRow } from './request-row.ts'

/** A tree, or a function that makes one when the table runs. */
export type TreeUnderTest = ConfigTree | (() => ConfigTree)

/**
 * Defines one test per row with vitest.
 *
 * @example
 * describeRequests('the shop', parseConfig(text).value, [
 *   ['shop.example.org/tea', 'backend shop-tea-80', 'tea goes to the tea service'],
 * ])
 */
export function describeRequests(
  what: string,
  tree: TreeUnderTest,
  rows: readonly RequestRow[],
  options: SimulateOptions = {},
): void {
  describe(what, () => {
    it.each(rows.map(([request, answer, fact]) => ({ fact, request, answer })))('$fact', ({ request, answer }) => {
      const trace = simulateRequest(typeof tree === 'function' ? tree() : tree, readRequest(request), options)
      const found = answersOf(trace.outcome)
      if (found.includes(answer)) return
      throw new Error(`expected ${answer}, found ${found[0]}\n${printExplanation(explainRequest(trace))}`)
    })
  })
}
