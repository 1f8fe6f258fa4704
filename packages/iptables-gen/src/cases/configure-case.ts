// The fields of KubeProxyConfiguration that decide about rules, straight to options: for scenarios outside a daemon.
// Fields that decide nothing here (addresses of endpoints, periods, logging) are passed over.

import { type Ip, type Node, parseCidr, parseIp, zoneLabel } from '@kubewire/kube-model'
import type { LocalDetector } from '../proxy/local-traffic.ts'
import { nodePortAddresses } from '../proxy/node-addresses.ts'
import { type ProxyOptions, proxyOptions } from '../proxy/options.ts'
import { localAddressesOf } from './case-options.ts'
import type { CaseConfigurator } from './library-driver.ts'
import type { CaseConfig } from './proxy-case.ts'

interface RuleFields {
  readonly detectLocalMode?: string
  readonly detectLocal?: { readonly bridgeInterface?: string; readonly interfaceNamePrefix?: string }
  readonly nodePortAddresses?: readonly string[]
  readonly iptables?: {
    readonly masqueradeAll?: boolean
    readonly masqueradeBit?: number
    readonly localhostNodePorts?: boolean
  }
  readonly conntrack?: { readonly tcpBeLiberal?: boolean }
  readonly featureGates?: { readonly [gate: string]: boolean }
}

/** Options of the generator for the `config` of a case. */
export const configureCase: CaseConfigurator = (config) => {
  const fields = config as RuleFields
  return (node, family): ProxyOptions => {
    const addresses = addressesOf(node)
    const own = (one: 4 | 6): Ip => addresses.find((ip) => ip.family === one) ?? loopback[one]
    const resolved = nodePortAddresses(
      fields.nodePortAddresses ?? [],
      family,
      [own(4), own(6)],
      localAddressesOf(config),
    )
    const zone = node?.metadata?.labels?.[zoneLabel]
    const detector = detectorOf(config, fields, node, family)
    const { masqueradeBit = 14, masqueradeAll = false, localhostNodePorts = true } = fields.iptables ?? {}
    return proxyOptions({
      family,
      nodeName: config.nodeName ?? node?.metadata?.name ?? '',
      nodeIp: own(family),
      masqueradeBit,
      masqueradeAll,
      nodePortAddresses: resolved.addresses,
      localhostNodePorts: family === 4 && localhostNodePorts && resolved.includesLoopback,
      dropsInvalid: !(config.env?.tcpBeLiberal === true || fields.conntrack?.tcpBeLiberal === true),
      nfacct: config.env?.nfacct === true,
      allowsExternalIps: fields.featureGates?.['AllowServiceExternalIPs'] !== false,
      ...(detector === undefined ? {} : { detector }),
      ...(zone === undefined ? {} : { zone }),
    })
  }
}

const loopback = { 4: parseIp('127.0.0.1') as Ip, 6: parseIp('::1') as Ip } as const

function addressesOf(node: Node | undefined): readonly Ip[] {
  return (node?.status?.addresses ?? []).flatMap(({ address }) => parseIp(address) ?? [])
}

function detectorOf(
  config: CaseConfig,
  { detectLocalMode, detectLocal }: RuleFields,
  node: Node | undefined,
  family: 4 | 6,
): LocalDetector | undefined {
  if (detectLocalMode === 'BridgeInterface') return { kind: 'interface', name: detectLocal?.bridgeInterface ?? '' }
  if (detectLocalMode === 'InterfaceNamePrefix')
    return { kind: 'interface', name: `${detectLocal?.interfaceNamePrefix ?? ''}+` }
  const texts = detectLocalMode === 'NodeCIDR' ? (node?.spec?.podCIDRs ?? []) : (config.clusterCIDR ?? '').split(',')
  const cidr = texts.flatMap((text) => parseCidr(text.trim()) ?? []).find((one) => one.family === family)
  return cidr === undefined ? undefined : { kind: 'cidr', cidr }
}
