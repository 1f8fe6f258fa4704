// All checks in the order they run: changes come last.

import type { DemoWorld } from '../world.ts'
import { anyClusterChecks } from './any-cluster.ts'
import { changeChecks } from './changes.ts'
import type { Check } from './check.ts'
import { dnsChecks } from './dns.ts'
import { ingressChecks } from './ingress.ts'
import { kubectlChecks } from './kubectl.ts'
import { proxyChecks } from './proxy.ts'

const checks: readonly Check[] = [...dnsChecks, ...proxyChecks, ...ingressChecks, ...kubectlChecks, ...changeChecks]

/** The checks for what runs: the list for `examples/shop`, made-up ones for any other folder. */
export async function checksFor(world: DemoWorld): Promise<readonly Check[]> {
  const service = '/api/v1/namespaces/shop/services/kiosk'
  const isShop = await world.cluster.request({ method: 'GET', path: service }).then(
    () => true,
    () => false,
  )
  return isShop ? checks : anyClusterChecks(world)
}
