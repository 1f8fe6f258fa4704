// Which tables a packet meets in which order. Source: netfilter hook priorities (linux/netfilter_ipv4.h).

import type { TableName } from '../ruleset/ruleset.ts'

/** One table at one hook; the built-in chain has the hook's name. */
export interface Stage {
  readonly hook: 'PREROUTING' | 'INPUT' | 'FORWARD' | 'OUTPUT' | 'POSTROUTING'
  readonly table: TableName
}

function stages(hook: Stage['hook'], ...tables: readonly TableName[]): readonly Stage[] {
  return tables.map((table) => ({ hook, table }))
}

/** Before the routing decision of an arriving packet. */
export const prerouting: readonly Stage[] = stages('PREROUTING', 'raw', 'mangle', 'nat')
/** The same for a packet that this machine sent to itself: its connection was translated on the way out. */
export const loopbackPrerouting: readonly Stage[] = stages('PREROUTING', 'raw', 'mangle')
/** To a process of this machine; source translation of the nat table comes after the filter. */
export const input: readonly Stage[] = stages('INPUT', 'mangle', 'filter', 'security', 'nat')
/** Through this machine. */
export const forward: readonly Stage[] = stages('FORWARD', 'mangle', 'filter', 'security')
/** From a process of this machine. */
export const output: readonly Stage[] = stages('OUTPUT', 'raw', 'mangle', 'nat', 'filter', 'security')
/** Out of this machine. */
export const postrouting: readonly Stage[] = stages('POSTROUTING', 'mangle', 'nat')
