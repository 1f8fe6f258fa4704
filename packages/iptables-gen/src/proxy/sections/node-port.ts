// KUBE-NODEPORTS: the rules that catch node ports, and the jumps from KUBE-SERVICES that lead there.

import { type Cidr, parseCidr } from '@kubewire/kube-model'
import type { Match } from '../../match/registry.ts'
import { rule } from '../../ruleset/rule.ts'
import { chainNames, externalChain } from '../chain-names.ts'
import { isLoopback } from '../node-addresses.ts'
import { localnet } from './localnet-guard.ts'
import { commentOf, hostPrefix, originOf, type PortSection, placed, type StaticSection, transport } from './section.ts'

/** nfacct object that counts connections to node ports on loopback. */
export const localhostCounter = 'localhost_nps_accepted_pkts'

const loopback6 = parseCidr('::1/128') as Cidr

/** Node ports → KUBE-EXT. */
export const nodePortSection: PortSection = (port, { options }) => {
  const { facts, endpoints, hash } = port
  if (!endpoints.hasEndpoints || facts.nodePort === undefined) return []
  const { header, module } = transport(facts.protocol, facts.nodePort)
  const target = { kind: 'jump', chain: externalChain(hash) } as const
  const name = commentOf(facts.id)
  const counts = options.localhostNodePorts && options.family === 4 && options.nfacct
  return [
    ...(counts
      ? placed(
          'nat',
          chainNames.nodePorts,
          rule(
            [{ kind: 'destination', cidr: localnet }, header, name, module, { kind: 'nfacct', name: localhostCounter }],
            target,
            originOf(port),
          ),
        )
      : []),
    ...placed('nat', chainNames.nodePorts, rule([header, name, module], target, originOf(port))),
  ]
}

const lastRule = 'kubernetes service nodeports; NOTE: this must be the last rule in this chain'

/** The jumps to KUBE-NODEPORTS. They stay last: a node port must not win over a service address. */
export const nodePortJumpSection: StaticSection = ({ options }) => {
  const isLocal: Match = { kind: 'addr-type', destination: { type: 'LOCAL' } }
  const jumpTo = (destination: Match | undefined, ...rest: readonly Match[]) =>
    placed(
      'nat',
      chainNames.services,
      rule([destination, commentOf(lastRule), ...rest], { kind: 'jump', chain: chainNames.nodePorts }),
    )
  const { nodePortAddresses: serving, family, localhostNodePorts } = options
  if (serving.kind === 'all') {
    if (family === 6) return jumpTo({ kind: 'destination', negated: true, cidr: loopback6, asPrefix: true }, isLocal)
    return jumpTo(localhostNodePorts ? undefined : { kind: 'destination', negated: true, cidr: localnet }, isLocal)
  }
  return serving.addresses
    .filter((ip) => !isLoopback(ip) || (family === 4 && localhostNodePorts))
    .flatMap((ip) => jumpTo({ kind: 'destination', cidr: hostPrefix(ip) }))
}
