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

/** Where the values come from: in a file a zero period means the default, on the command line it is zero. */
export interface DefaultsOptions {
  readonly keepsZeroPeriods?: boolean
}

/** Fills in defaults. */
export function withDefaults(
  given: GivenValues,
  { keepsZeroPeriods = false }: DefaultsOptions = {},
): ProxyConfiguration {
  const values = new Map<string, FieldValue>()
  for (const field of fields) {
    const value = given.get(field.path)
    const isZero = value === 0 || value === '' || value === null
    values.set(field.path, value === undefined || (field.zeroIsDefault && isZero) ? field.default : value)
  }
  const text = (path: string): string => String(values.get(path) ?? '')
  const isIp6 = text('bindAddress').includes(':')
  values.set('healthzBindAddress', withPort(text('healthzBindAddress') || (isIp6 ? '::' : '0.0.0.0'), 10256))
  values.set('metricsBindAddress', withPort(text('metricsBindAddress') || (isIp6 ? '::1' : '127.0.0.1'), 10249))
  const isModeDefaulted = text('mode') === '' || given.get('mode') === undefined
  if (text('mode') === '') values.set('mode', 'iptables')
  const mode = text('mode')
  setModeDefaults(mode, values, keepsZeroPeriods ? given : new Map())
  if (mode === 'nftables' && given.get('nodePortAddresses') === undefined) values.set('nodePortAddresses', ['primary'])
  return configurationOf(values, isModeDefaulted)
}

function setModeDefaults(mode: string, values: Map<string, FieldValue>, kept: GivenValues): void {
  const section = mode === 'nftables' ? 'nftables' : 'iptables'
  for (const [path, period] of [
    [`${section}.syncPeriod`, 30_000],
    [`${section}.minSyncPeriod`, 1000],
  ] as const)
    if (values.get(path) === 0 && kept.get(path) === undefined) values.set(path, period)
}

function withPort(address: string, port: number): string {
  const ip = parseIp(address)
  if (ip === undefined) return address
  return ip.family === 6 ? `[${address}]:${port}` : `${address}:${port}`
}

function configurationOf(values: ReadonlyMap<string, FieldValue>, isModeDefaulted: boolean): ProxyConfiguration {
  const text = (path: string): string => String(values.get(path) ?? '')
  const number = (path: string): number => Number(values.get(path) ?? 0)
  const flag = (path: string): boolean => values.get(path) === true
  const mode = text('mode')
  // Periods and masqueradeAll come from the section of the active mode.
  const section = mode === 'nftables' ? 'nftables' : 'iptables'
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
    syncPeriodMs: number(`${section}.syncPeriod`),
    minSyncPeriodMs: number(`${section}.minSyncPeriod`),
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
    values,
  }
}
