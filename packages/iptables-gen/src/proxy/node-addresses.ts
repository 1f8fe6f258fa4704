// nodePortAddresses: which addresses of the node serve node ports, per family.
// Source: kube-proxy 1.37 pkg/proxy/util/nodeport_addresses.go; the keywords are new in 1.37.

import { type Cidr, contains, type Ip, type IpFamily, parseCidr, parseCidrSloppy } from '@kubewire/kube-model'

/** Addresses that serve node ports. */
export type NodePortAddresses =
  | { readonly kind: 'all' }
  /** Only these; possibly none. */
  | { readonly kind: 'some'; readonly addresses: readonly Ip[] }

/** The answer for one family. */
export interface ResolvedNodePorts {
  readonly addresses: NodePortAddresses
  /** Whether node ports may be served on loopback as far as the list goes. */
  readonly includesLoopback: boolean
}

const all = { 4: '0.0.0.0/0', 6: '::/0' } as const
const loopback = { 4: '127.0.0.0/8', 6: '::1/128' } as const

/**
 * Resolves the list for one family.
 *
 * @param list - CIDRs and the keywords `primary`, `localhost`, `all`
 * @param nodeIps - the node's own addresses, for `primary`; loopback placeholders are skipped
 * @param localAddresses - what the interfaces carry now
 */
export function nodePortAddresses(
  list: readonly string[],
  family: IpFamily,
  nodeIps: readonly Ip[],
  localAddresses: readonly Ip[],
): ResolvedNodePorts {
  const cidrs = expandKeywords(list, nodeIps).filter((cidr) => cidr.family === family)
  const effective = cidrs.length > 0 ? cidrs : [parsed(all[family])]
  const includesLoopback = effective.some((cidr) => cidr.bits === 0 || contains(parsed(loopback[family]), cidr.address))
  if (effective.some((cidr) => cidr.bits === 0)) return { addresses: { kind: 'all' }, includesLoopback }
  const addresses = localAddresses.filter((ip) => effective.some((cidr) => contains(cidr, ip)))
  return { addresses: { kind: 'some', addresses }, includesLoopback }
}

/** Whether an address is a loopback one. */
export function isLoopback(ip: Ip): boolean {
  return contains(parsed(loopback[ip.family]), ip)
}

function expandKeywords(list: readonly string[], nodeIps: readonly Ip[]): readonly Cidr[] {
  return list.flatMap((entry) => {
    switch (entry) {
      case 'primary':
        return nodeIps.filter((ip) => !isLoopback(ip)).map((ip) => parsed(`${ip.text}/${ip.family === 4 ? 32 : 128}`))
      case 'localhost':
        return [parsed(loopback[4]), parsed(loopback[6])]
      case 'all':
        return [parsed(all[4]), parsed(all[6])]
      default: {
        const cidr = parseCidrSloppy(entry)
        return cidr === undefined ? [] : [cidr]
      }
    }
  })
}

function parsed(text: string): Cidr {
  const cidr = parseCidr(text)
  if (cidr === undefined) throw new Error(`not a prefix: ${text}`)
  return cidr
}
