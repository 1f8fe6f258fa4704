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
  return (await isShop(world)) ? checks : anyClusterChecks(world)
}

/** Whether the cluster is that of `examples/shop`. */
export function isShop({ cluster }: DemoWorld): Promise<boolean> {
  const path = '/api/v1/namespaces/shop/services/kiosk'
  return cluster.request({ method: 'GET', path }).then(
    () => true,
    () => false,
  )
}
