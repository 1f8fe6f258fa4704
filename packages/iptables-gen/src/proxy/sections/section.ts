// What sections get and give. A section is one function from facts to rules; `registry.ts` decides their order.

import { type Cidr, familyBits, type Ip, type ObjectRef } from '@kubewire/kube-model'
import type { Match } from '../../match/registry.ts'
import type { Chain } from '../../ruleset/chain.ts'
import type { Rule } from '../../ruleset/rule.ts'
import type { TableName } from '../../ruleset/ruleset.ts'
import type { Target } from '../../target/registry.ts'
import type { CategorizedEndpoints } from '../categorize-endpoints.ts'
import { chainNames } from '../chain-names.ts'
import type { EndpointFacts } from '../endpoint.ts'
import type { ProxyOptions } from '../options.ts'
import type { ServicePortFacts } from '../service-port.ts'

/** Rules for a chain that others add to, too. */
export interface Placed extends Chain {
  readonly table: TableName
}

/** What is the same for all service ports. */
export interface SectionContext {
  readonly options: ProxyOptions
  /** The masquerade bit as a mark. */
  readonly mark: number
  /** Comments of dispatch and endpoint rules are left out. */
  readonly isLargeCluster: boolean
}

/** The facts of one service port. */
export interface PortView {
  readonly facts: ServicePortFacts
  readonly endpoints: CategorizedEndpoints
  /** Every endpoint of the port, used or not. */
  readonly all: readonly EndpointFacts[]
  /** With a health check node port: addresses of local ready endpoints, also of ports that the Service does not name. */
  readonly localReady?: number
  /** What the names of its chains end with. */
  readonly hash: string
}

/** One service port as the sections of its own chains see it. */
export interface NamedPort extends PortView {
  /** Names of the chains of these endpoints, in their order. */
  chainsOf(endpoints: readonly EndpointFacts[]): readonly string[]
}

/** Rules that do not depend on services. */
export type StaticSection = (context: SectionContext) => readonly Placed[]

/** Rules of one service port in chains that all services share. */
export type PortSection = (port: PortView, context: SectionContext) => readonly Placed[]

/** Rules of one service port in chains of its own, which are all in the nat table. */
export type OwnSection = (port: NamedPort, context: SectionContext) => readonly Chain[]

/** Places rules in a chain. */
export function placed(table: TableName, name: string, ...rules: readonly Rule[]): readonly Placed[] {
  return [{ table, name, rules }]
}

/** Rules as a chain; none without rules: a chain exists by what is in it. */
export function ownChain(name: string, rules: readonly Rule[]): readonly Chain[] {
  return rules.length === 0 ? [] : [{ name, rules }]
}

/** `-m comment --comment TEXT`. */
export function commentOf(text: string): Match {
  return { kind: 'comment', text }
}

/** `-d IP`. */
export function toAddress(ip: Ip): Match {
  return { kind: 'destination', cidr: hostPrefix(ip) }
}

/** `-s IP`. */
export function fromAddress(ip: Ip): Match {
  return { kind: 'source', cidr: hostPrefix(ip) }
}

/** The prefix that holds one address: no arithmetic needed, which counts with many endpoints. */
export function hostPrefix(ip: Ip): Cidr {
  const bits = familyBits(ip.family)
  return { family: ip.family, text: `${ip.text}/${bits}`, bits, address: ip, first: ip.value, last: ip.value }
}

/** `-p PROTOCOL` and `-m PROTOCOL [--dport PORT]`, as header and module. */
export function transport(
  protocol: ServicePortFacts['protocol'],
  port?: number,
): { readonly header: Match; readonly module: Match } {
  const name = protocol.toLowerCase() as Transport
  const header = headers[name]
  if (port === undefined) return bareTransports[name]
  return { header, module: { kind: 'ports', protocol: name, destination: { first: port, last: port } } }
}

type Transport = 'tcp' | 'udp' | 'sctp'

// Rules are values that never change, so those of 100,000 endpoints may share them.
const headers: { readonly [name in Transport]: Match } = {
  tcp: { kind: 'protocol', protocol: 'tcp' },
  udp: { kind: 'protocol', protocol: 'udp' },
  sctp: { kind: 'protocol', protocol: 'sctp' },
}

const bareTransports: { readonly [name in Transport]: { readonly header: Match; readonly module: Match } } = {
  tcp: { header: headers.tcp, module: { kind: 'ports', protocol: 'tcp' } },
  udp: { header: headers.udp, module: { kind: 'ports', protocol: 'udp' } },
  sctp: { header: headers.sctp, module: { kind: 'ports', protocol: 'sctp' } },
}

/** The Service a rule was made for. */
export function originOf(port: PortView): ObjectRef {
  return port.facts.service
}

/** `-j KUBE-MARK-MASQ`. */
export const toMarkMasq: Target = { kind: 'jump', chain: chainNames.markMasq }
