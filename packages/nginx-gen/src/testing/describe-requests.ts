// Request tables for tests: what a configuration does with a request, one row each. A failing row prints the trace.

import { printExplanation } from '@kubewire/kube-model'
import { describe, it } from 'vitest'
import type { ConfigTree } from '../config/node.ts'
import { explainRequest } from '../explain.ts'
import type { SimulatedRequest } from '../simulate/request.ts'
import { type SimulateOptions, simulateRequest } from '../simulate/run.ts'
import type { RequestRow } from './request-row.ts'

export type { ExpectedAnswer, RequestRow } from './request-row.ts'
export { type RequestTable, requestTables } from './request-tables.ts'

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

/** `[METHOD ][http[s]://]host/path` as a request. */
export function readRequest(text: string | SimulatedRequest): SimulatedRequest {
  if (typeof text !== 'string') return text
  const parts = /^(?:([A-Z]+) )?(?:(https?):\/\/)?([^/]*)(\/.*)?$/s.exec(text)
  const [, method, scheme, host = '', path] = parts ?? []
  return {
    host,
    ...(method === undefined ? {} : { method }),
    ...(scheme === 'https' ? { scheme } : {}),
    ...(path === undefined ? {} : { path }),
  }
}

// All spellings that fit an outcome, the most telling one first.
function answersOf(outcome: ReturnType<typeof simulateRequest>['outcome']): readonly string[] {
  switch (outcome.kind) {
    case 'refused':
      return ['refused']
    case 'proxy':
      return [`backend ${outcome.upstream} ${outcome.path}`, `backend ${outcome.upstream}`]
    case 'answer':
      return outcome.location === undefined
        ? [String(outcome.status)]
        : [`${outcome.status} ${outcome.location}`, String(outcome.status)]
    case 'other':
      return [outcome.by]
  }
}
