// A trace as an explanation for people: where the request was, what decided, which object said so.

import type { Explanation, ObjectRef } from '@kubewire/kube-model'
import type { ConfigNode } from './config/node.ts'
import type { RequestOutcome, Trace, TraceStep } from './simulate/trace.ts'

/** The steps of a trace, with the outcome as the first line; origins are the Ingresses the nodes were made from. */
export function explainRequest(trace: Trace): Explanation {
  const origin = [...new Set(trace.location.map((node) => originOf(node.source)).filter((ref) => ref !== undefined))]
  return {
    where: 'request',
    what: printOutcome(trace.outcome),
    ...(origin.length === 0 ? {} : { origin }),
    steps: [
      ...trace.steps.map(explainStep),
      ...headerSteps('response header', trace.responseHeaders),
      ...(trace.outcome.kind === 'proxy' ? headerSteps('request header', trace.outcome.headers) : []),
      ...(trace.unknownVariables.length === 0
        ? []
        : [
            {
              where: 'unknown',
              what: `only a running nginx knows ${trace.unknownVariables.map((v) => `$${v}`).join(', ')}`,
            },
          ]),
    ],
  }
}

/** One line for an outcome. */
export function printOutcome(outcome: RequestOutcome): string {
  switch (outcome.kind) {
    case 'refused':
      return 'refused: nothing listens'
    case 'answer':
      return outcome.location === undefined
        ? `answers ${outcome.status}`
        : `answers ${outcome.status} to ${outcome.location}`
    case 'proxy':
      return `goes to ${outcome.upstream} as ${outcome.method} ${outcome.path}`
    case 'other':
      return `is answered by ${outcome.by}${outcome.otherwise === undefined ? '' : `, by ${outcome.otherwise} where it finds no file`}`
  }
}

function explainStep({ phase, node, what, why }: TraceStep): Explanation {
  const ref = node === undefined ? undefined : originOf(node.source)
  const line = node === undefined ? undefined : lineOf(node.source)
  return {
    where: line === undefined ? phase : `${phase} (line ${line})`,
    what,
    ...(why === undefined ? {} : { why }),
    ...(ref === undefined ? {} : { origin: [ref] }),
  }
}

function headerSteps(where: string, headers: { readonly [name: string]: string }): Explanation[] {
  return Object.entries(headers)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ({ where, what: `${name}: ${value}` }))
}

function originOf(node: ConfigNode): ObjectRef | undefined {
  return 'origin' in node ? node.origin?.object : undefined
}

function lineOf(node: ConfigNode): number | undefined {
  return 'position' in node ? node.position?.line : undefined
}
