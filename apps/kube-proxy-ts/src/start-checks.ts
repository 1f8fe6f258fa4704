// What is said about the configuration at start, when node and kernel are known: warnings, and what makes it useless.
// Source: kube-proxy 1.37 cmd/kube-proxy/app/server.go, checkBadConfig and checkBadIPConfig.

import { type IpFamily, parseCidr } from '@kubewire/kube-model'
import type { ProxyConfiguration } from './config/defaults.ts'

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
  const warnings: string[] = []
  const fatal: string[] = []
  const isDualStack = families.length > 1
  if (configuration.nodePortAddresses.length === 0)
    warnings.push(
      'nodePortAddresses is unset; NodePort connections will be accepted on all local IPs. Consider using `nodePortAddresses: ["primary"]`',
    )
  const report = (isFatal: boolean, text: string): void => void (isFatal ? fatal : warnings).push(text)
  const isOther = (cidrs: readonly string[]): boolean =>
    cidrs.length > 0 && familiesOf(cidrs).every((family) => family !== primaryFamily)
  const misses = (cidrs: readonly string[]): boolean => cidrs.length > 0 && new Set(familiesOf(cidrs)).size === 1
  const { clusterCidrs, detectLocalMode } = configuration
  if (isOther(clusterCidrs))
    report(
      !isDualStack && detectLocalMode === 'ClusterCIDR',
      `cluster CIDR is of the other IP family: ${clusterCidrs.join(',')}`,
    )
  else if (isDualStack && misses(clusterCidrs))
    warnings.push(`cluster CIDR covers one IP family of two: ${clusterCidrs.join(',')}`)
  if (detectLocalMode === 'NodeCIDR' && isOther(podCidrs))
    report(true, `node.spec.podCIDRs are of the other IP family: ${podCidrs.join(',')}`)
  const addresses = configuration.nodePortAddresses.filter((entry) => parseCidr(entry) !== undefined)
  const hasKeyword = addresses.length < configuration.nodePortAddresses.length
  if (isDualStack && !hasKeyword && misses(addresses))
    warnings.push(`nodePortAddresses cover one IP family of two: ${addresses.join(',')}`)
  return { warnings, fatal }
}

function familiesOf(cidrs: readonly string[]): readonly IpFamily[] {
  return cidrs.flatMap((text) => parseCidr(text)?.family ?? [])
}
