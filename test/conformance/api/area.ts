// The area `api`: scenarios of requests and watches, over real https, against mini-apiserver or kube-apiserver.

import { randomInt } from 'node:crypto'
import type { Area } from '../area.ts'
import { runScenario } from './run-scenario.ts'
import { isScenario, scenarioOf, unknownScenarioKeys } from './scenario.ts'
import { openTarget } from './targets.ts'

export const area: Area = {
  name: 'api',
  suites: ['api'],
  claims: isScenario,
  unknownKeys: ({ data }) => unknownScenarioKeys(data),
  open: async (options) => {
    const target = await openTarget(options)
    return {
      runCase: async ({ data }) => {
        const scenario = scenarioOf(data)
        if (scenario.needs.includes('compact') && !target.compact) {
          return [{ probe: 'needs', outcome: 'skipped', detail: 'this server cannot be told to forget its history' }]
        }
        return runScenario(target, scenario, makeId())
      },
      close: () => target.close(),
    }
  },
}

function makeId(): string {
  return Array.from({ length: 6 }, () => String.fromCharCode(97 + randomInt(26))).join('')
}
