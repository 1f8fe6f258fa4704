// Validation of a complete configuration. Every problem is reported; paths and reasons are those of kube-proxy 1.37
// (pkg/proxy/apis/config/validation), paths without the leading `KubeProxyConfiguration.`.

import { type Problem, parseCidr, parseIp, printGoDuration } from '@kubewire/kube-model'
import type { ProxyConfiguration } from './defaults.ts'

const root = 'KubeProxyConfiguration'
const conntrackPath = 'KubeProxyLinuxConfiguration.KubeProxyConntrackConfiguration'
const detectPath = 'DetectLocalConfiguration'

/** Problems `IPT_CONFIG_VALUE`, one for each wrong value, as the original words them. */
export function checkConfiguration(configuration: ProxyConfiguration): readonly Problem[] {
  const problems: Problem[] = []
  const add: Add = (path, value, reason) => {
    const object = { kind: 'File', name: root }
    const message = `Invalid value: ${value}: ${reason}`
    problems.push({
      code: 'IPT_CONFIG_VALUE',
      severity: 'error',
      object,
      path: `${root}.${path}`,
      message,
      fallback: '',
    })
  }
  checkNumbers(configuration, add)
  checkConntrack(configuration, add)
  checkMode(configuration, add)
  checkPeriods(configuration, add)
  checkAddresses(configuration, add)
  checkNodePortAddresses(configuration.nodePortAddresses, add)
  checkDetector(configuration, add)
  return problems
}

type Add = (path: string, value: string, reason: string) => void

function checkNumbers({ oomScoreAdj, burst, masqueradeBit }: ProxyConfiguration, add: Add): void {
  if (masqueradeBit < 0 || masqueradeBit > 31)
    add('KubeProxyIPTablesConfiguration.MasqueradeBit', String(masqueradeBit), 'must be within the range [0, 31]')
  if (oomScoreAdj < -1000 || oomScoreAdj > 1000)
    add('KubeProxyLinuxConfiguration.OOMScoreAdj', String(oomScoreAdj), 'must be within the range [-1000, 1000]')
  if (burst < 0) add('ClientConnection.Burst', String(burst), 'must be greater than or equal to 0')
}

function checkConntrack({ conntrack }: ProxyConfiguration, add: Add): void {
  const numbers = [
    ['MaxPerCore', conntrack.maxPerCore, String],
    ['Min', conntrack.min, String],
    ['TCPEstablishedTimeout', conntrack.tcpEstablishedTimeoutMs, printGoDuration],
    ['TCPCloseWaitTimeout', conntrack.tcpCloseWaitTimeoutMs, printGoDuration],
    ['UDPTimeout', conntrack.udpTimeoutMs, printGoDuration],
    ['UDPStreamTimeout', conntrack.udpStreamTimeoutMs, printGoDuration],
  ] as const
  for (const [name, value, print] of numbers)
    if (value < 0) add(`${conntrackPath}.${name}`, print(value), 'must be greater than or equal to 0')
}

function checkMode({ mode }: ProxyConfiguration, add: Add): void {
  if (!['iptables', 'ipvs', 'nftables', ''].includes(mode))
    add(
      'Mode.ProxyMode',
      JSON.stringify(mode),
      'must be iptables, ipvs, nftables or blank (blank means the best-available proxy [currently iptables])',
    )
}

function checkPeriods({ configSyncPeriodMs, syncPeriodMs, minSyncPeriodMs }: ProxyConfiguration, add: Add): void {
  if (configSyncPeriodMs <= 0) add('ConfigSyncPeriod', printGoDuration(configSyncPeriodMs), 'must be greater than 0')
  if (syncPeriodMs <= 0) add('SyncPeriod', printGoDuration(syncPeriodMs), 'must be greater than 0')
  if (minSyncPeriodMs < 0) add('MinSyncPeriod', printGoDuration(minSyncPeriodMs), 'must be greater than or equal to 0')
  if (minSyncPeriodMs > syncPeriodMs)
    add('SyncPeriod', printGoDuration(syncPeriodMs), `must be greater than or equal to ${root}.MinSyncPeriod`)
}

function checkAddresses({ bindAddress, healthzBindAddress, metricsBindAddress }: ProxyConfiguration, add: Add): void {
  if (parseIp(bindAddress) === undefined)
    add('BindAddress', JSON.stringify(bindAddress), 'not a valid textual representation of an IP address')
  if (healthzBindAddress !== '') checkHostPort('HealthzBindAddress', healthzBindAddress, add)
  checkHostPort('MetricsBindAddress', metricsBindAddress, add)
}

function checkHostPort(path: string, text: string, add: Add): void {
  const match = /^(?:\[([^\]]*)\]|([^:]*)):([^:]*)$/.exec(text)
  if (match === null) {
    add(path, JSON.stringify(text), 'must be IP:port')
    return
  }
  const [, bracketed, plain, port = ''] = match
  const host = bracketed ?? plain ?? ''
  if (parseIp(host) === undefined) add(path, JSON.stringify(host), 'must be a valid IP')
  const number = /^[0-9]{1,6}$/.test(port) ? Number(port) : 0
  if (number < 1 || number > 65_535) add(path, JSON.stringify(port), 'must be a valid port')
}

function checkNodePortAddresses(list: readonly string[], add: Add): void {
  const keywords = new Set<string>()
  for (const [i, entry] of list.entries()) {
    const path = `NodePortAddresses[${i}]`
    if (entry === 'primary' || entry === 'localhost' || entry === 'all') {
      if (keywords.has(entry)) add(path, JSON.stringify(entry), 'Duplicate value')
      keywords.add(entry)
    } else if (parseCidr(entry) === undefined) {
      add(path, JSON.stringify(entry), "must be a valid CIDR or one of the keywords 'primary', 'localhost', 'all'")
    }
  }
}

function checkDetector(configuration: ProxyConfiguration, add: Add): void {
  const { detectLocalMode, bridgeInterface, interfaceNamePrefix, clusterCidrs } = configuration
  switch (detectLocalMode) {
    case 'BridgeInterface':
      checkInterface('InterfaceName', bridgeInterface, add)
      return
    case 'InterfaceNamePrefix':
      checkInterface('InterfacePrefix', interfaceNamePrefix, add)
      return
    case 'ClusterCIDR':
    case '':
      if (clusterCidrs.length > 0) checkClusterCidrs(clusterCidrs, add)
      return
    case 'NodeCIDR':
      return
    default: {
      const modes = '"ClusterCIDR", "NodeCIDR", "BridgeInterface", "InterfaceNamePrefix", ""'
      add('DetectLocalMode', JSON.stringify(detectLocalMode), `supported values: ${modes}`)
    }
  }
}

function checkInterface(name: string, value: string, add: Add): void {
  if (value === '') add(`${detectPath}.${name}`, '""', 'must not be empty')
}

function checkClusterCidrs(cidrs: readonly string[], add: Add): void {
  const parsed = cidrs.map((text) => parseCidr(text))
  const shown = JSON.stringify(cidrs)
  parsed.forEach((cidr, i) => {
    if (cidr === undefined)
      add(
        `${detectPath}.ClusterCIDRs[${i}]`,
        JSON.stringify(cidrs[i] ?? ''),
        'must be a valid CIDR block (e.g. 10.100.0.0/16 or fde4:8dba:82e1::/48)',
      )
  })
  const isPair = cidrs.length === 2 && parsed[0]?.family !== parsed[1]?.family
  if (cidrs.length > 2 || (cidrs.length === 2 && !isPair))
    add(`${detectPath}.ClusterCIDRs`, shown, 'must be a either a single CIDR or dual-stack pair of CIDRs')
}
