// A question that the Corefile sends to another server: nothing here knows its answer, and the failure to ask without a
// network is no SERVFAIL of the cluster's. Pure.

import { type ForwardConfig, foldName, isUnder } from '@kubewire/dns-core'
import type { Explanation } from '@kubewire/kube-model'

/** The explanation, with the failure of forward told as what the real server would do. */
export function withForwarded(explanation: Explanation, name: string, forwards: readonly ForwardConfig[]): Explanation {
  if (!failsInForward(explanation)) return explanation
  const { to = [] } = forwards.find(({ from }) => isUnder(from, foldName(name))) ?? {}
  const text = `forwarded to ${to.length === 0 ? 'another server' : to.join(' or ')}, the answer is not known here`
  return retell(explanation, text)
}

const withoutReply = /(?:SERVFAIL without a reply: .*|SERVFAIL)$/

// The one who fails is the innermost step that failed.
function failsInForward({ where, what, steps = [] }: Explanation): boolean {
  if (!withoutReply.test(what)) return false
  const failing = steps.findLast((step) => withoutReply.test(step.what))
  return failing === undefined ? where === 'plugin forward' : failsInForward(failing)
}

function retell(explanation: Explanation, text: string): Explanation {
  if (!withoutReply.test(explanation.what)) return explanation
  const steps = explanation.steps?.map((step) => retell(step, text))
  return {
    ...explanation,
    what: explanation.what.replace(withoutReply, text),
    ...(steps === undefined ? {} : { steps }),
  }
}
