// The order of sections is the order of rules.

import { clusterIpSection } from './cluster-ip.ts'
import { clusterDispatchSection, endpointChainsSection, localDispatchSection } from './endpoint-chains.ts'
import { externalIpSection } from './external-ip.ts'
import { forwardSection } from './forward.ts'
import { healthCheckSection } from './health-check.ts'
import { loadBalancerSection } from './load-balancer.ts'
import { localnetGuardSection } from './localnet-guard.ts'
import { masqueradeSection } from './masquerade.ts'
import { noEndpointsSection } from './no-endpoints.ts'
import { nodePortJumpSection, nodePortSection } from './node-port.ts'
import type { OwnSection, PortSection, StaticSection } from './section.ts'
import { sourceRangesSection } from './source-ranges.ts'
import { externalPolicySection, internalMasqueradeSection } from './traffic-policy.ts'

/** Before the services. */
export const firstSections: readonly StaticSection[] = [masqueradeSection, localnetGuardSection]

/** Rules of a service port in chains that all services share, by the table that they go to. */
export const sharedSections: { readonly [table in 'filter' | 'nat']: readonly PortSection[] } = {
  nat: [clusterIpSection, externalIpSection, loadBalancerSection, nodePortSection],
  // The one of load balancers guards source ranges here.
  filter: [loadBalancerSection, noEndpointsSection, healthCheckSection],
}

/** Rules of a service port in its four chains, which several of these add to. */
export const ownSections: readonly OwnSection[] = [
  // First rule of the dispatch chain, so before the dispatch.
  internalMasqueradeSection,
  externalPolicySection,
  sourceRangesSection,
  clusterDispatchSection,
  localDispatchSection,
]

/** Chains of a service port that nothing else adds to. */
export const endpointSections: readonly OwnSection[] = [endpointChainsSection]

/** After the services. */
export const lastSections: readonly StaticSection[] = [
  forwardSection,
  // Node ports come last in KUBE-SERVICES.
  nodePortJumpSection,
]
