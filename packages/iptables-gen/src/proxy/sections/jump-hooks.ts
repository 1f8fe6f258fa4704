// The jumps from built-in chains, in the order in which they are inserted: each goes to the head, so that the last one
// ends up first. Source: kube-proxy 1.36 pkg/proxy/iptables/proxier.go, iptablesJumpChains.

import type { Match } from '../../match/registry.ts'
import { type Rule, rule } from '../../ruleset/rule.ts'
import type { TableName } from '../../ruleset/ruleset.ts'
import { chainNames } from '../chain-names.ts'
import { commentOf } from './section.ts'

/** One jump. */
export interface JumpHook {
  readonly table: TableName
  readonly from: string
  readonly to: string
  readonly rule: Rule
}

const isNew: Match = { kind: 'conntrack-state', states: ['NEW'] }

function hook(table: TableName, from: string, to: string, ...matches: readonly Match[]): JumpHook {
  return { table, from, to, rule: rule(matches, { kind: 'jump', chain: to }) }
}

const outsidePortals = commentOf('kubernetes externally-visible service portals')
const portals = commentOf('kubernetes service portals')
const balancerFirewall = commentOf('kubernetes load balancer firewall')

/** All jumps, made in both families. */
export const jumpHooks: readonly JumpHook[] = [
  hook('filter', 'INPUT', chainNames.externalServices, isNew, outsidePortals),
  hook('filter', 'FORWARD', chainNames.externalServices, isNew, outsidePortals),
  hook('filter', 'INPUT', chainNames.nodePorts, commentOf('kubernetes health check service ports')),
  hook('filter', 'FORWARD', chainNames.services, isNew, portals),
  hook('filter', 'OUTPUT', chainNames.services, isNew, portals),
  hook('filter', 'FORWARD', chainNames.forward, commentOf('kubernetes forwarding rules')),
  hook('filter', 'INPUT', chainNames.proxyFirewall, isNew, balancerFirewall),
  hook('filter', 'OUTPUT', chainNames.proxyFirewall, isNew, balancerFirewall),
  hook('filter', 'FORWARD', chainNames.proxyFirewall, isNew, balancerFirewall),
  hook('nat', 'OUTPUT', chainNames.services, portals),
  hook('nat', 'PREROUTING', chainNames.services, portals),
  hook('nat', 'POSTROUTING', chainNames.postrouting, commentOf('kubernetes postrouting rules')),
  // The chain is shared with the kubelet: it is made if missing, and written only with localhost node ports.
  hook('filter', 'INPUT', chainNames.firewall),
  hook('filter', 'OUTPUT', chainNames.firewall),
]
