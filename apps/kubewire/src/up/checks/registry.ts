// All checks in the order they run: changes come last.

import { changeChecks } from './changes.ts'
import type { Check } from './check.ts'
import { dnsChecks } from './dns.ts'
import { ingressChecks } from './ingress.ts'
import { kubectlChecks } from './kubectl.ts'
import { proxyChecks } from './proxy.ts'

/** The list. */
export const checks: readonly Check[] = [
  ...dnsChecks,
  ...proxyChecks,
  ...ingressChecks,
  ...kubectlChecks,
  ...changeChecks,
]
