// What is said about the configuration at start, when node and kernel are known: warnings, and what makes it useless.
// Source: kube-proxy 1.37 cmd/kube-proxy/app/server.go, checkBadConfig and checkBadIPConfig.

import { type IpFamily, parseCidrSloppy, parseIpSloppy } from '@kubewire/kube-model'
import type { ProxyConfiguration } from './config/defaults.ts'
import { splitHostPort } from './health/servers.ts'

/** What the checks look at. */
export interface StartFacts {
  readonly configuration: ProxyConfiguration
  readonly podCidrs: readonly string[]
  readonly families: readonly IpFamily[]
  readonly primaryFamily: IpFamily
}

/** Findings: `fatal` ends the process, warnings are logged. */
export interface StartFindings {
  readonly warnings: readonly string[]
  readonly fatal: readonly string[]
}

/** Checks a configuration against the machine. */
export function checkStart(facts: StartFacts): StartFindings {
  const { configuration, podCidrs, families, primaryFamily } = facts
  const { clusterCidrs, detectLocalMode, healthzBindAddress, metricsBindAddress } = configuration
  const isDualStack = families.length > 1
  const cluster = `cluster is IPv${primaryFamily}-${isDualStack ? 'primary' : 'only'}`
  const other = `IPv${primaryFamily === 4 ? 6 : 4}`
  const warnings = [...nodePortWarnings(facts)]
  const fatal: string[] = []
  const report = (isFatal: boolean, text: string): void => void (isFatal ? fatal : warnings).push(text)
  const isOther = (cidrs: readonly string[]): boolean =>
    cidrs.length > 0 && familiesOf(cidrs).every((family) => family !== primaryFamily)
  if (isOther(clusterCidrs))
    report(
      detectLocalMode === 'ClusterCIDR' && !isDualStack,
      `${cluster} but clusterCIDRs contains only ${other} addresses`,
    )
  if (isOther(podCidrs))
    report(detectLocalMode === 'NodeCIDR', `${cluster} but node.spec.podCIDRs contains only ${other} addresses`)
  for (const [name, address] of Object.entries({ healthzBindAddress, metricsBindAddress })) {
    const ip = address === '' ? undefined : parseIpSloppy(splitHostPort(address).address)
    if (!isDualStack && ip !== undefined && ip.value !== 0n && ip.family !== primaryFamily)
      warnings.push(`${cluster} but ${name} is ${other}`)
  }
  return { warnings, fatal }
}

// A list that names addresses of one family leaves the other open.
function nodePortWarnings({ configuration, podCidrs, primaryFamily }: StartFacts): readonly string[] {
  const { nodePortAddresses, clusterCidrs } = configuration
  if (nodePortAddresses.length === 0)
    return [
      'nodePortAddresses is unset; NodePort connections will be accepted on all local IPs. Consider using `--nodeport-addresses primary`',
    ]
  // A keyword stands for addresses of both families.
  if (nodePortAddresses.some((entry) => parseCidrSloppy(entry) === undefined)) return []
  const families = familiesOf(nodePortAddresses)
  const other = primaryFamily === 4 ? 6 : 4
  const isDual = [clusterCidrs, podCidrs].some((cidrs) => new Set(familiesOf(cidrs)).size > 1)
  if (isDual && families.every((family) => family === primaryFamily))
    return [
      `cluster appears to be dual-stack but nodePortAddresses contains only IPv${primaryFamily} addresses; NodePort connections will be accepted on all local IPv${other} IPs`,
    ]
  if (families.every((family) => family === other))
    return [
      `cluster appears to be IPv${primaryFamily}-primary but nodePortAddresses contains only IPv${other} addresses; NodePort connections will be accepted on all local IPv${primaryFamily} IPs`,
    ]
  return []
}

function familiesOf(cidrs: readonly string[]): readonly IpFamily[] {
  return cidrs.flatMap((text) => parseCidrSloppy(text)?.family ?? [])
}
