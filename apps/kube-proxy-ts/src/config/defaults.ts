// Values that were given → a complete configuration. Source: kube-proxy 1.37 pkg/proxy/apis/config/v1alpha1/defaults.go.

import { parseIp } from '@kubewire/kube-model'
import { type FieldValue, fields } from './fields.ts'
import type { GivenValues } from './parse.ts'

/** A complete configuration, as far as a node acts on it; durations in milliseconds. */
export interface ProxyConfiguration {
  readonly bindAddress: string
  /** `IP:port`, or empty: no server. */
  readonly healthzBindAddress: string
  /** `IP:port`, or empty: no server. */
  readonly metricsBindAddress: string
  readonly bindAddressHardFail: boolean
  readonly enableProfiling: boolean
  readonly mode: string
  /** The mode was not given and may change with a later release. */
  readonly isModeDefaulted: boolean
  readonly clusterCidrs: readonly string[]
  readonly detectLocalMode: string
  readonly bridgeInterface: string
  readonly interfaceNamePrefix: string
  readonly nodePortAddresses: readonly string[]
  readonly masqueradeBit: number
  readonly masqueradeAll: boolean
  readonly localhostNodePorts: boolean
  readonly syncPeriodMs: number
  readonly minSyncPeriodMs: number
  readonly conntrack: ConntrackConfiguration
  readonly configSyncPeriodMs: number
  readonly kubeconfig: string
  readonly burst: number
  readonly qps: number
  readonly contentType: string
  readonly hostnameOverride: string
  readonly oomScoreAdj: number
  readonly featureGates: { readonly [name: string]: boolean }
  readonly verbosity: number
  /** Log lines as JSON instead of klog's text. */
  readonly logsJson: boolean
  /** Every field as the file format has it, for printing. */
  readonly values: GivenValues
}

/** The `conntrack` section; timeouts of 0 leave the kernel's. */
export interface ConntrackConfiguration {
  readonly maxPerCore: number
  readonly min: number
  readonly tcpBeLiberal: boolean
  readonly tcpEstablishedTimeoutMs: number
  readonly tcpCloseWaitTimeoutMs: number
  readonly udpTimeoutMs: number
  readonly udpStreamTimeoutMs: number
}

/** Where the values come from. */
export interface DefaultsOptions {
  /**
   * From the command line: a zero period is zero and not the default, the flags of iptables are those of every mode, and
   * defaults were taken before the flags were read.
   */
  readonly isOfFlags?: boolean
}

/** Fills in defaults. */
export function withDefaults(given: GivenValues, { isOfFlags = false }: DefaultsOptions = {}): ProxyConfiguration {
  const values = new Map<string, FieldValue>()
  for (const field of fields) {
    const value = given.get(field.path)
    const isZero = (value === 0 && !isOfFlags) || value === '' || value === null
    values.set(field.path, value === undefined || (field.zeroIsDefault && isZero) ? field.default : value)
  }
  const text = (path: string): string => String(values.get(path) ?? '')
  const isIp6 = !isOfFlags && text('bindAddress').includes(':')
  const addresses = [
    ['healthzBindAddress', isIp6 ? '[::]:10256' : '0.0.0.0:10256', 10256],
    ['metricsBindAddress', isIp6 ? '[::1]:10249' : '127.0.0.1:10249', 10249],
  ] as const
  for (const [path, fallback, port] of addresses)
    values.set(path, text(path) === '' ? fallback : isOfFlags ? text(path) : withPort(text(path), port))
  const isModeDefaulted = text('mode') === '' || given.get('mode') === undefined
  if (text('mode') === '') values.set('mode', 'iptables')
  const mode = text('mode')
  setActiveSection(mode, values, given, isOfFlags)
  const addressList = (given.get('nodePortAddresses') ?? []) as readonly string[]
  if (mode === 'nftables' && addressList.length === 0) values.set('nodePortAddresses', ['primary'])
  // The field is read and has had no meaning for long.
  values.set('portRange', '')
  return configurationOf(values, isModeDefaulted)
}

// COMPAT: there is one pair of periods and one masqueradeAll; the section of the active mode gives and shows them.
function setActiveSection(mode: string, values: Map<string, FieldValue>, given: GivenValues, isOfFlags: boolean): void {
  const active = mode === 'nftables' || mode === 'ipvs' ? mode : 'iptables'
  const source = !isOfFlags ? active : active === 'ipvs' ? 'ipvs' : 'iptables'
  for (const [name, fallback] of [
    ['syncPeriod', 30_000],
    // The other modes' least period has no default in a file.
    ['minSyncPeriod', active === 'ipvs' && !isOfFlags ? 0 : 1000],
  ] as const) {
    const value = given.get(`${source}.${name}`)
    const period = value === undefined || (value === 0 && !isOfFlags) ? fallback : value
    for (const section of ['iptables', 'ipvs', 'nftables'])
      values.set(`${section}.${name}`, section === active ? period : 0)
  }
  const masquerades =
    values.get(`${!isOfFlags && active === 'nftables' ? 'nftables' : 'iptables'}.masqueradeAll`) === true
  for (const section of ['iptables', 'nftables'])
    values.set(`${section}.masqueradeAll`, masquerades && (section === 'nftables') === (active === 'nftables'))
}

/** Gives an address without a port the port; anything else stays as it is. */
export function withPort(address: string, port: number): string {
  const ip = parseIp(address)
  if (ip === undefined) return address
  return ip.family === 6 ? `[${address}]:${port}` : `${address}:${port}`
}

function configurationOf(values: ReadonlyMap<string, FieldValue>, isModeDefaulted: boolean): ProxyConfiguration {
  const text = (path: string): string => String(values.get(path) ?? '')
  const number = (path: string): number => Number(values.get(path) ?? 0)
  const flag = (path: string): boolean => values.get(path) === true
  const mode = text('mode')
  // Periods and masqueradeAll come from the section of the active mode; ipvs marks as iptables does.
  const section = mode === 'nftables' ? 'nftables' : 'iptables'
  const active = mode === 'ipvs' ? 'ipvs' : section
  const clusterCidr = text('clusterCIDR')
  return {
    bindAddress: text('bindAddress'),
    healthzBindAddress: text('healthzBindAddress'),
    metricsBindAddress: text('metricsBindAddress'),
    bindAddressHardFail: flag('bindAddressHardFail'),
    enableProfiling: flag('enableProfiling'),
    mode,
    isModeDefaulted,
    clusterCidrs: clusterCidr === '' ? [] : clusterCidr.split(','),
    detectLocalMode: text('detectLocalMode'),
    bridgeInterface: text('detectLocal.bridgeInterface'),
    interfaceNamePrefix: text('detectLocal.interfaceNamePrefix'),
    nodePortAddresses: (values.get('nodePortAddresses') as readonly string[] | null) ?? [],
    masqueradeBit: number(`${section}.masqueradeBit`),
    masqueradeAll: flag(`${section}.masqueradeAll`),
    localhostNodePorts: flag('iptables.localhostNodePorts'),
    syncPeriodMs: number(`${active}.syncPeriod`),
    minSyncPeriodMs: number(`${active}.minSyncPeriod`),
    conntrack: {
      maxPerCore: number('conntrack.maxPerCore'),
      min: number('conntrack.min'),
      tcpBeLiberal: flag('conntrack.tcpBeLiberal'),
      tcpEstablishedTimeoutMs: number('conntrack.tcpEstablishedTimeout'),
      tcpCloseWaitTimeoutMs: number('conntrack.tcpCloseWaitTimeout'),
      udpTimeoutMs: number('conntrack.udpTimeout'),
      udpStreamTimeoutMs: number('conntrack.udpStreamTimeout'),
    },
    configSyncPeriodMs: number('configSyncPeriod'),
    kubeconfig: text('clientConnection.kubeconfig'),
    burst: number('clientConnection.burst'),
    qps: number('clientConnection.qps'),
    contentType: text('clientConnection.contentType'),
    hostnameOverride: text('hostnameOverride'),
    oomScoreAdj: number('oomScoreAdj'),
    featureGates: (values.get('featureGates') as { readonly [name: string]: boolean }) ?? {},
    verbosity: number('logging.verbosity'),
    logsJson: text('logging.format') === 'json',
    values,
  }
}
