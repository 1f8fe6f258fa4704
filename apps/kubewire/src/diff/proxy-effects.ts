// Where packets go: every front end of every Service port, asked by a pod and from outside, in both families.

import { buildRuleset, type PortView, simulatePacket } from '@kubewire/iptables-gen'
import { type ClusterSnapshot, type Ip, type IpFamily, joinHostPort, parseIp, printRef } from '@kubewire/kube-model'
import { summarizeOutcomes } from '../packet-summary.ts'
import { localAddresses, nodeOf, proxyOptionsOf } from '../proxy-input.ts'
import type { Effect } from './effect.ts'

type ProxyValues = Parameters<typeof nodeOf>[1]

/** One effect for each front end and sort of client. */
export function proxyEffects(snapshot: ClusterSnapshot, values: ProxyValues): readonly Effect[] {
  return ([4, 6] as const).flatMap((family) => familyEffects(snapshot, values, family))
}

function familyEffects(snapshot: ClusterSnapshot, values: ProxyValues, family: IpFamily): Effect[] {
  const options = proxyOptionsOf(snapshot, values, family)
  const { ruleset, ports } = buildRuleset(snapshot, options)
  const machine = { localAddresses: localAddresses(nodeOf(snapshot, values)) }
  const { nodeIp } = options
  const podIp = options.detector?.kind === 'cidr' ? options.detector.cidr.address : undefined
  const clients: readonly (readonly [string, Ip | undefined])[] = [
    ['from a pod', podIp],
    ['from outside', parseIp(family === 4 ? '198.51.100.254' : '2001:db8:ffff::fe')],
  ]
  return ports.flatMap((view) =>
    frontEnds(view, nodeIp).flatMap(({ ip, port, name }) =>
      clients.flatMap(([from, source]): Effect[] => {
        if (source === undefined) return []
        const protocol = view.facts.protocol.toLowerCase()
        const packet = { entry: 'arriving', protocol, source, destination: ip, destinationPort: port } as const
        return [
          {
            subject: printRef(view.facts.service),
            question: `${protocol} to ${name} ${from}`,
            answer: summarizeOutcomes(simulatePacket(ruleset, packet, machine).outcomes),
          },
        ]
      }),
    ),
  )
}

interface FrontEnd {
  readonly ip: Ip
  readonly port: number
  readonly name: string
}

function frontEnds({ facts }: PortView, nodeIp: Ip | undefined): FrontEnd[] {
  const { clusterIp, externalIps, vips, port, nodePort } = facts
  const atPort = [clusterIp, ...externalIps, ...vips].map((ip) => ({ ip, port, name: joinHostPort(ip.text, port) }))
  if (nodePort === undefined || nodeIp === undefined) return atPort
  return [...atPort, { ip: nodeIp, port: nodePort, name: `node port ${nodePort} of ${nodeIp.text}` }]
}
