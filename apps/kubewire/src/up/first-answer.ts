// The last step of starting: daemons say that they are ready before the first rules are in the kernel.

import { eventually } from './checks/check.ts'
import { DemoError } from './netns.ts'
import { demoNetwork } from './plan.ts'
import type { DemoWorld } from './world.ts'

const name = 'kubernetes.default.svc.cluster.local'

/** Waits until a name resolves through the Service address of DNS, which takes both the server and the rules. */
export async function waitForFirstAnswer(world: DemoWorld): Promise<void> {
  const server = `@${demoNetwork.dnsService}`
  const answer = await eventually(
    async () => (await world.run('client', ['dig', '+short', '+time=1', '+tries=1', server, name])).stdout.trim(),
    (text) => /^[0-9.]+$/.test(text),
    15_000,
  )
  if (!/^[0-9.]+ after /.test(answer)) throw new DemoError(`no name resolves through ${server}: ${answer}`)
}
