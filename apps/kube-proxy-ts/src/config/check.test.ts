// What kube-proxy 1.37.2 answers to `--write-config-to` with the same line in its file, word for word.
// Files covered here: 'check', 'parse', 'defaults', 'load'.

import { describe, expect, it } from 'vitest'
import { readFlags } from '../flags.ts'
import { loadConfiguration } from './load.ts'

const head = 'apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n'
const bit = 'must be within the range [0, 31]'
const greater = 'must be greater than or equal to'
const noCidr = "must be a valid CIDR or one of the keywords 'primary', 'localhost', 'all'"
const noPair = 'must be a either a single CIDR or dual-stack pair of CIDRs (e.g. [10.100.0.0/16, fde4:8dba:82e1::/48]'
const modes = '"ClusterCIDR", "NodeCIDR", "BridgeInterface", "InterfaceNamePrefix", ""'

async function load(lines: string, ...argv: readonly string[]) {
  return loadConfiguration(readFlags(['--config', 'x.yaml', ...argv]), async () => `${head}${lines}\n`)
}

describe('a configuration that is refused', () => {
  it.each([
    ['mode: IPTables', 'Mode.ProxyMode: Invalid value: "IPTables": must be iptables, ipvs, nftables or blank'],
    [
      'mode: ipvs\nfeatureGates: {KubeProxyIPVS: false}',
      'Mode.ProxyMode: Invalid value: "ipvs": must be iptables, nftables or blank',
    ],
    ['iptables: {masqueradeBit: 40}', `KubeProxyIPTablesConfiguration.MasqueradeBit: Invalid value: 40: ${bit}`],
    [
      'mode: nftables\niptables: {masqueradeBit: 40}',
      `KubeProxyIPTablesConfiguration.MasqueradeBit: Invalid value: 40: ${bit}`,
    ],
    [
      'mode: nftables\nnftables: {masqueradeBit: -1}',
      `KubeProxyNFTablesConfiguration.MasqueradeBit: Invalid value: -1: ${bit}`,
    ],
    [
      'iptables: {minSyncPeriod: 31s}',
      `SyncPeriod: Invalid value: "31s": ${greater} KubeProxyConfiguration.MinSyncPeriod`,
    ],
    ['iptables: {minSyncPeriod: -1s}', `MinSyncPeriod: Invalid value: "-1s": ${greater} 0`],
    ['configSyncPeriod: -1s', 'ConfigSyncPeriod: Invalid value: "-1s": must be greater than 0'],
    [
      'conntrack: {udpTimeout: -3s}',
      `KubeProxyLinuxConfiguration.KubeProxyConntrackConfiguration.UDPTimeout: Invalid value: "-3s": ${greater} 0`,
    ],
    ['nodePortAddresses: [primary, primary]', 'NodePortAddresses[1]: Duplicate value: "primary"'],
    ['nodePortAddresses: [10.0.0.1]', `NodePortAddresses[0]: Invalid value: "10.0.0.1": ${noCidr}`],
    ['detectLocalMode: Foo', `DetectLocalMode: Unsupported value: "Foo": supported values: ${modes}`],
    [
      'clusterCIDR: 10.0.0.0/8,10.1.0.0/16',
      `DetectLocalConfiguration.ClusterCIDRs: Invalid value: ["10.0.0.0/8","10.1.0.0/16"]: ${noPair}`,
    ],
    [
      'showHiddenMetricsForVersion: "1.30"',
      'ShowHiddenMetricsForVersion: Invalid value: "1.30": invalid showHiddenMetricsForVersion: showHiddenMetricsForVersion: ' +
        `Invalid value: "1.30": must be omitted or have the value '1.36'; only the previous minor version is allowed`,
    ],
  ])('%s', async (lines, wanted) => {
    const { configuration, problems } = await load(lines)
    expect(configuration).toBeUndefined()
    const errors = problems.filter((problem) => problem.severity === 'error')
    expect(errors.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      expect.stringContaining(`KubeProxyConfiguration.${wanted}`),
    ])
  })

  it.each([
    ['logging: {format: foo}', 'logging.format: Invalid value: "foo": Unsupported log format'],
    ['logging: {flushFrequency: -1s}', 'logging.flushFrequency: Invalid value: "-1s": Must be greater than zero'],
  ])('%s', async (lines, wanted) => {
    const { problems } = await load(lines)
    expect(problems.map(({ path, message }) => `${path}: ${message}`)).toEqual([wanted])
  })
})

describe('a configuration that is taken without a word', () => {
  it.each([
    ['addresses with leading zeros', 'bindAddress: 010.0.0.1\nclusterCIDR: 010.0.0.0/8', {}],
    ['a list of node port addresses', 'nodePortAddresses: [primary, 010.0.0.0/8, localhost, all]', {}],
    ['a bit of nftables mode in another mode', 'nftables: {masqueradeBit: 40}', { masqueradeBit: 14 }],
    [
      'an empty list in nftables mode: the default',
      'mode: nftables\nnodePortAddresses: []',
      { nodePortAddresses: ['primary'] },
    ],
    ['the log format', 'logging: {format: json}', { logsJson: true }],
  ])('%s', async (_what, lines, wanted) => {
    const { configuration, problems } = await load(lines)
    expect(problems).toEqual([])
    expect(configuration).toMatchObject(wanted)
  })

  it('except that logging flags win over the file', async () => {
    const { configuration } = await load('logging: {verbosity: 1}', '-v=3', '--logging-format=json')
    expect(configuration).toMatchObject({ verbosity: 3, logsJson: true })
  })
})

it('with a gate whose feature is not offered is taken, with a warning', async () => {
  const gate = 'featureGates: {KubeProxyNFTablesLocalhostNodePorts: true}'
  const { configuration, problems } = await load(`mode: nftables\n${gate}`)
  expect(configuration?.mode).toBe('nftables')
  expect(problems).toMatchObject([{ severity: 'warning', fallback: 'node ports do not answer on loopback' }])
  expect((await load(`mode: iptables\n${gate}`)).problems).toEqual([])
})

describe('flags', () => {
  it.each([
    ['--bind-address=foo', 'invalid argument "foo" for "--bind-address" flag: "foo" is not a valid IP address'],
    ['--vmodule=foo', 'invalid argument "foo" for "--vmodule" flag: "foo" does not have the pattern=N format'],
    [
      '--feature-gates=KubeProxyIPVS=maybe',
      'invalid argument "KubeProxyIPVS=maybe" for "--feature-gates" flag: invalid value of KubeProxyIPVS: maybe, ' +
        'err: strconv.ParseBool: parsing "maybe": invalid syntax',
    ],
    ['--config-sync-period=0', 'Invalid value: "0s": must be greater than 0'],
  ])('%s is refused', async (flag, wanted) => {
    const { configuration, problems } = await loadConfiguration(readFlags([flag]))
    expect(configuration).toBeUndefined()
    expect(problems.map((problem) => problem.message)).toContain(wanted)
  })

  it('of gates take every spelling of Go', () => {
    const flags = readFlags(['--feature-gates=KubeProxyIPVS=F,AllowServiceExternalIPs=1'])
    expect(flags.values.get('featureGates')).toEqual({ KubeProxyIPVS: false, AllowServiceExternalIPs: true })
  })
})
