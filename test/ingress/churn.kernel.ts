// Ingresses come and go while clients with long connections look on: no request fails, no stream breaks, nginx is not
// reloaded, and its table ends as a fresh translation says; also when the controller or the workers are killed in between.
// CHURN_CHANGES=1000 makes it long.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleDaemon, startDaemon } from '../harness/daemon.ts'
import { createNetns, type Netns, whyNoNetns } from '../harness/netns.ts'
import type { ChurnResult } from './churn.ts'

const missing = whyNoNetns()
if (missing !== undefined) console.log(`churn.kernel.ts is skipped: ${missing}`)

const changes = Number(process.env['CHURN_CHANGES'] ?? 80)

describe.skipIf(missing !== undefined)('hosts as data', () => {
  let netns: Netns
  beforeAll(async () => {
    netns = await createNetns('churn')
    await netns.addAddresses(['10.20.3.4'])
  })
  afterAll(() => netns?.close())

  it(
    `${changes} Ingresses come and go under load without a reload or a failure`,
    async () => {
      const controller = await bundleDaemon('ingress-ts')
      const run = await startDaemon({ daemon: 'test/ingress/churn.ts', netns, args: [controller, String(changes)] })
      const lines: string[] = []
      run.onLine((line) => lines.push(line))
      const { exitCode } = await run.ended
      if (exitCode !== 0) throw new Error(run.output().slice(-6000))
      const result = JSON.parse(lines.find((line) => line.startsWith('{')) ?? '{}') as ChurnResult
      console.log(JSON.stringify(result))
      expect(result).toMatchObject({
        ...{ changes, failedRequests: 0, brokenStreams: [], reloads: 0, differences: [], notServed: [] },
      })
      expect(result.requests).toBeGreaterThan(1000)
      expect(result.messages).toBeGreaterThan(50)
    },
    30_000 + changes * 400,
  )
})
