// Validation of a complete configuration. Every problem is reported; paths and reasons are those of kube-proxy 1.37
// (pkg/proxy/apis/config/validation), paths without the leading `KubeProxyConfiguration.`.

import { type Problem, parseCidrSloppy, parseIpSloppy, printGoDuration } from '@kubewire/kube-model'
import type { ProxyConfiguration } from './defaults.ts'

const root = 'KubeProxyConfiguration'
const conntrackPath = 'KubeProxyLinuxConfiguration.KubeProxyConntrackConfiguration'
const detectPath = 'DetectLocalConfiguration'

/** Problems `IPT_CONFIG_VALUE`, one for each wrong value, as the original words them. */
export function checkConfiguration(configuration: ProxyConfiguration): readonly Problem[] {
  const problems: Problem[] = []
  const add: Add = (path, value, reason, what = 'Invalid') => {
    const object = { kind: 'File', name: root }
    const message = `${what} value: ${value}${reason === '' ? '' : `: ${reason}`}`
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
  checkHiddenMetrics(configuration, add)
  return problems
}

type Add = (path: string, value: string, reason: string, what?: 'Invalid' | 'Duplicate' | 'Unsupported') => void

function checkNumbers({ oomScoreAdj, burst, mode, values }: ProxyConfiguration, add: Add): void {
  // That of iptables counts in every mode, that of nftables in its own.
  const sections = [['iptables', 'IPTables'], ...(mode === 'nftables' ? [['nftables', 'NFTables']] : [])]
  for (const [section, name] of sections) {
    const bit = Number(values.get(`${section}.masqueradeBit`) ?? 14)
    if (bit < 0 || bit > 31)
      add(`KubeProxy${name}Configuration.MasqueradeBit`, String(bit), 'must be within the range [0, 31]')
  }
  if (oomScoreAdj < -1000 || oomScoreAdj > 1000)
    add('KubeProxyLinuxConfiguration.OOMScoreAdj', String(oomScoreAdj), 'must be within the range [-1000, 1000]')
  if (burst < 0) add('ClientConnection.Burst', String(burst), 'must be greater than or equal to 0')
}

function checkConntrack({ conntrack }: ProxyConfiguration, add: Add): void {
  const numbers = [
    ['MaxPerCore', conntrack.maxPerCore, String],
    ['Min', conntrack.min, String],
    ['TCPEstablishedTimeout', conntrack.tcpEstablishedTimeoutMs, quotedDuration],
    ['TCPCloseWaitTimeout', conntrack.tcpCloseWaitTimeoutMs, quotedDuration],
    ['UDPTimeout', conntrack.udpTimeoutMs, quotedDuration],
    ['UDPStreamTimeout', conntrack.udpStreamTimeoutMs, quotedDuration],
  ] as const
  for (const [name, value, print] of numbers)
    if (value < 0) add(`${conntrackPath}.${name}`, print(value), 'must be greater than or equal to 0')
}

function quotedDuration(ms: number): string {
  return JSON.stringify(printGoDuration(ms))
}

// Since 1.37 ipvs has a feature gate, which is on.
function checkMode({ mode, featureGates }: ProxyConfiguration, add: Add): void {
  const modes = ['iptables', ...(featureGates['KubeProxyIPVS'] === false ? [] : ['ipvs']), 'nftables']
  if (mode !== '' && !modes.includes(mode))
    add(
      'Mode.ProxyMode',
      JSON.stringify(mode),
      `must be ${modes.join(', ')} or blank (blank means the best-available proxy [currently iptables])`,
    )
}

function checkPeriods({ configSyncPeriodMs, syncPeriodMs, minSyncPeriodMs }: ProxyConfiguration, add: Add): void {
  if (configSyncPeriodMs <= 0) add('ConfigSyncPeriod', quotedDuration(configSyncPeriodMs), 'must be greater than 0')
  if (syncPeriodMs <= 0) add('SyncPeriod', quotedDuration(syncPeriodMs), 'must be greater than 0')
  if (minSyncPeriodMs < 0) add('MinSyncPeriod', quotedDuration(minSyncPeriodMs), 'must be greater than or equal to 0')
  // COMPAT: the value told is the one that is too large, the path that of the other.
  if (minSyncPeriodMs > syncPeriodMs)
    add('SyncPeriod', quotedDuration(minSyncPeriodMs), `must be greater than or equal to ${root}.MinSyncPeriod`)
}

function checkAddresses({ bindAddress, healthzBindAddress, metricsBindAddress }: ProxyConfiguration, add: Add): void {
  if (parseIpSloppy(bindAddress) === undefined)
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
  if (parseIpSloppy(host) === undefined) add(path, JSON.stringify(host), 'must be a valid IP')
  const number = /^[0-9]{1,6}$/.test(port) ? Number(port) : 0
  if (number < 1 || number > 65_535) add(path, JSON.stringify(port), 'must be a valid port')
}

function checkNodePortAddresses(list: readonly string[], add: Add): void {
  const keywords = new Set<string>()
  for (const [i, entry] of list.entries()) {
    const path = `NodePortAddresses[${i}]`
    if (entry === 'primary' || entry === 'localhost' || entry === 'all') {
      if (keywords.has(entry)) add(path, JSON.stringify(entry), '', 'Duplicate')
      keywords.add(entry)
    } else if (parseCidrSloppy(entry) === undefined) {
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
      add('DetectLocalMode', JSON.stringify(detectLocalMode), `supported values: ${modes}`, 'Unsupported')
    }
  }
}

const previousMinor = '1.36'

function checkHiddenMetrics({ values }: ProxyConfiguration, add: Add): void {
  const shown = String(values.get('showHiddenMetricsForVersion') ?? '')
  if (shown === '' || shown === previousMinor) return
  const value = JSON.stringify(shown)
  const why = `must be omitted or have the value '${previousMinor}'; only the previous minor version is allowed`
  const name = 'showHiddenMetricsForVersion'
  add('ShowHiddenMetricsForVersion', value, `invalid ${name}: ${name}: Invalid value: ${value}: ${why}`)
}

function checkInterface(name: string, value: string, add: Add): void {
  if (value === '') add(`${detectPath}.${name}`, '""', 'must not be empty')
}

function checkClusterCidrs(cidrs: readonly string[], add: Add): void {
  const parsed = cidrs.map((text) => parseCidrSloppy(text))
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
    add(
      `${detectPath}.ClusterCIDRs`,
      shown,
      'must be a either a single CIDR or dual-stack pair of CIDRs (e.g. [10.100.0.0/16, fde4:8dba:82e1::/48]',
    )
}
