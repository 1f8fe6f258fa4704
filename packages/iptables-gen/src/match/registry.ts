// The matches we know. A new one is one file beside this, named in the union and in the list.

import { type AddrTypeMatch, addrType } from './addr-type.ts'
import { type DestinationMatch, destination, type SourceMatch, source } from './address.ts'
import { type CommentMatch, comment } from './comment.ts'
import { type ConntrackStateMatch, conntrackState, type StateMatch, state } from './conntrack-state.ts'
import type { MatchDefinition } from './define.ts'
import { type InInterfaceMatch, inInterface, type OutInterfaceMatch, outInterface } from './interface.ts'
import { type MarkMatch, mark } from './mark.ts'
import { type MultiportMatch, multiport } from './multiport.ts'
import { type NfacctMatch, nfacct } from './nfacct.ts'
import { type OpaqueMatch, opaque } from './opaque.ts'
import { type PhysdevMatch, physdev } from './physdev.ts'
import { type PortsMatch, ports } from './ports.ts'
import { type ProtocolMatch, protocol } from './protocol.ts'
import { type RecentMatch, recent } from './recent.ts'
import { type SetMatch, set } from './set.ts'
import { type StatisticMatch, statistic } from './statistic.ts'

/** Any match that a rule may hold. */
export type Match =
  | SourceMatch
  | DestinationMatch
  | InInterfaceMatch
  | OutInterfaceMatch
  | ProtocolMatch
  | CommentMatch
  | AddrTypeMatch
  | ConntrackStateMatch
  | MarkMatch
  | MultiportMatch
  | NfacctMatch
  | PhysdevMatch
  | PortsMatch
  | RecentMatch
  | SetMatch
  | StateMatch
  | StatisticMatch
  | OpaqueMatch

/** All definitions; header matches stand in the order in which iptables-save prints them. */
export const matches: readonly MatchDefinition<Match>[] = [
  source,
  destination,
  inInterface,
  outInterface,
  protocol,
  comment,
  addrType,
  conntrackState,
  mark,
  multiport,
  nfacct,
  physdev,
  ports,
  recent,
  set,
  state,
  statistic,
  opaque,
] as readonly unknown[] as readonly MatchDefinition<Match>[]

const byKind = new Map(matches.map((definition) => [definition.kind, definition]))
const byModule = new Map(matches.flatMap((definition) => definition.modules.map((name) => [name, definition] as const)))
const byHeaderOption = new Map(
  matches
    .filter((definition) => definition.place === 'header')
    .flatMap((definition) => Object.keys(definition.options).map((name) => [name, definition] as const)),
)

/** The definition of a match. */
export function matchDefinition(match: Match): MatchDefinition<Match> {
  const definition = byKind.get(match.kind)
  if (definition === undefined) throw new Error(`no definition of match ${match.kind}`)
  return definition
}

/** The definition that reads `-m NAME`. */
export function matchOfModule(name: string): MatchDefinition<Match> | undefined {
  return byModule.get(name)
}

/** The definition that reads a header option such as `-s`. */
export function matchOfHeaderOption(name: string): MatchDefinition<Match> | undefined {
  return byHeaderOption.get(name)
}
