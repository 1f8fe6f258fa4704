// What an explanation repeats is said once in text; `-v` and JSON have it all. Pure.

import type { Explanation } from '@kubewire/kube-model'

/**
 * Joins plugins that hand on an answer (`plugin errors > cache > kubernetes: …`), and of several ways that are picked at
 * random shows the first in full, the others by their first and last step.
 */
export function shortenExplanation(explanation: Explanation): Explanation {
  const steps = (explanation.steps ?? []).map(shortenExplanation)
  const passed = passedOn(explanation, steps)
  if (passed !== undefined) return passed
  return { ...explanation, steps: sayOnce(explanation, shortenWays(steps)) }
}

function passedOn({ where, what }: Explanation, steps: readonly Explanation[]): Explanation | undefined {
  const [only] = steps
  if (only === undefined || steps.length > 1 || only.what !== what || !where.startsWith('plugin ')) return undefined
  return { ...only, where: `${where} > ${only.where.replace(/^plugin /, '')}` }
}

// Longer than this, an answer is not worth its repetition.
const longAnswer = 60

function sayOnce({ what }: Explanation, steps: readonly Explanation[]): readonly Explanation[] {
  return steps.map((step) =>
    step.where.startsWith('plugin ') && step.what.length > longAnswer && what.endsWith(step.what)
      ? { ...step, what: 'gives this answer' }
      : step,
  )
}

function shortenWays(steps: readonly Explanation[]): readonly Explanation[] {
  const ways = steps.filter(({ probability = 1, steps: inside = [] }) => probability < 1 && inside.length > 0)
  if (ways.length === 0) return steps
  const [first] = steps.filter(({ steps: inside = [] }) => inside.length > 0)
  return steps.map((step) => (step === first ? step : { ...step, steps: endsOf(step.steps ?? []) }))
}

function endsOf(steps: readonly Explanation[]): readonly Explanation[] {
  return steps.flatMap((step) => (step.where === 'result' ? [step] : endsOf(step.steps ?? [])))
}
