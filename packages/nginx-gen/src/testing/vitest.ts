// Vitest matchers for requests. Importing this file adds them: `import '@kubewire/nginx-gen/testing/vitest'`.

import { printExplanation } from '@kubewire/kube-model'
import { expect } from 'vitest'
import { explainRequest } from '../explain.ts'
import type { SimulatedRequest } from '../simulate/request.ts'
import type { Trace } from '../simulate/trace.ts'
import type { IngressUnderTest } from './ingress-of.ts'
import { answersOf } from './read-request.ts'
import type { ExpectedAnswer } from './request-row.ts'

/** What the matchers look like on `expect(…)`. */
export interface RequestMatchers {
  /**
   * Whether `ingressOf(objects)` serves a request like this: `backend shop/tea`, `backend shop/tea /path` (the path that the
   * backend sees), a status such as `404`, or `301 https://…`.
   *
   * @example
   * expect(front).toServe('https://shop.example.org/tea/cups', 'backend shop/tea /cups')
   * expect(front).toServe('http://shop.example.org/', '308 https://shop.example.org/')
   */
  toServe(request: string | SimulatedRequest, answer: ExpectedAnswer): void
}

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: the declaration that this one is merged with
  interface Matchers<T = any> extends RequestMatchers {}
}

expect.extend({
  toServe(front: IngressUnderTest, request: string | SimulatedRequest, answer: ExpectedAnswer) {
    const trace = front.request(request)
    const found = [...serviceAnswers(front, trace), ...answersOf(trace.outcome)]
    return {
      pass: found.includes(answer),
      message: () =>
        `expected ${answer}, found ${found.slice(0, 2).join(' or ')}\n${printExplanation(explainRequest(trace))}`,
    }
  },
})

// A backend by its Service, as people know it.
function serviceAnswers({ model }: IngressUnderTest, { outcome }: Trace): readonly string[] {
  if (outcome.kind !== 'proxy') return []
  const service = model.backends.find(({ name }) => name === outcome.upstream)?.service
  if (service === undefined) return []
  const name = `backend ${service.namespace}/${service.name}`
  return [name, `${name} ${outcome.path}`]
}
