// The format of proxy scenarios made of objects: what each key holds, and which keys there are.

import { anyOf, type CaseKeys } from '@kubewire/kube-model/cases'

/** A Kubernetes object as it stands in a file. */
export type Manifest = Readonly<Record<string, unknown>> & {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
}

/** Configuration and facts about the node. */
export interface CaseConfig {
  readonly nodeName?: string
  readonly nodeIPs?: readonly string[]
  readonly localAddresses?: readonly string[]
  readonly env?: { readonly nfacct?: boolean; readonly tcpBeLiberal?: boolean }
  readonly clusterCIDR?: string
  readonly mode?: string
  readonly [field: string]: unknown
}

/** One new connection and what must become of it. */
export interface CaseFlow {
  readonly from: { readonly kind: 'node' | 'pod' | 'external'; readonly ip: string; readonly iface?: string }
  readonly to: { readonly ip: string; readonly port: number; readonly protocol: string }
  readonly expect: {
    readonly verdict?: 'accept' | 'drop' | 'reject'
    readonly dnat?: readonly string[]
    readonly masquerade?: boolean | Readonly<Record<string, boolean>>
  }
}

/** Chains by table and family, as `iptables-save` prints their rules. */
export type SavedState = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, readonly string[] | null>>>>>
>

/** One step after the first sync. */
export interface CaseStep {
  readonly note?: string
  readonly apply?: readonly Manifest[]
  readonly delete?: readonly { readonly kind: string; readonly namespace?: string; readonly name: string }[]
  readonly forceFullSync?: boolean
  readonly sync?: CaseSync
  readonly sync6?: CaseSync
  readonly flows?: readonly CaseFlow[]
  readonly restoreContains?: readonly string[]
  readonly restoreLacks?: readonly string[]
  readonly largeClusterMode?: boolean
  readonly requests?: readonly CaseRequest[]
  readonly openPorts?: readonly number[]
  readonly conntrackTable?: readonly CaseTrackedFlow[]
  readonly conntrack?: readonly Readonly<Record<string, unknown>>[]
  readonly remaining?: readonly number[]
  readonly seed?: readonly Readonly<Record<string, unknown>>[]
  readonly saved?: SavedState
  readonly savedChanges?: SavedState
  readonly healthCounts?: Readonly<Record<string, number>>
  readonly noLocalEndpoints?: { readonly internal?: number; readonly external?: number }
  readonly tables?: NftTables
  readonly tableChanges?: NftTables
}

/** Tables of nftables mode by family: chains, sets and maps. */
export type NftTables = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>

/** What a sync of kube-proxy itself looks like. */
export interface CaseSync {
  readonly mode?: string
  readonly chainsWritten?: readonly string[]
  readonly chainsWrittenCount?: number
  readonly chainsDeleted?: readonly string[]
  readonly rulesLastSync?: Readonly<Record<string, number>>
  readonly rulesTotal?: Readonly<Record<string, number>>
}

/** A request to a health check node port. */
export interface CaseRequest {
  readonly port: number
  readonly path: string
  readonly expect: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly json: unknown
    readonly text: string
  }
}

/** One tracked flow of `conntrack-cleanup`. */
export interface CaseTrackedFlow {
  readonly id: number
  readonly protocol: string
  readonly origSrc: string
  readonly origSrcPort: number
  readonly origDst: string
  readonly origPort: number
  readonly replySrc: string
  readonly replyPort: number
}

/** A file. */
export interface ProxyCase {
  readonly config: CaseConfig
  readonly cluster?: readonly Manifest[]
  readonly flows?: readonly CaseFlow[]
  readonly chains?: readonly {
    readonly table: string
    readonly chain: string
    readonly family?: string
    readonly rules: readonly string[]
    readonly saved?: readonly string[]
  }[]
  readonly rules?: readonly {
    readonly table: string
    readonly family?: string
    readonly rule: string
    readonly saved?: string
  }[]
  readonly absent?: readonly {
    readonly table: string
    readonly family?: string
    readonly chain?: string
    readonly contains?: string
    readonly rule?: string
  }[]
  readonly ruleset?: Readonly<Record<string, string>>
  readonly saved?: SavedState
  readonly tables?: NftTables
  readonly healthCounts?: Readonly<Record<string, number>>
  readonly noLocalEndpoints?: { readonly internal?: number; readonly external?: number }
  readonly requests?: readonly CaseRequest[]
  readonly openPorts?: readonly number[]
  readonly steps?: readonly CaseStep[]
}

const flowKeys: CaseKeys = {
  ...anyOf('note beyondOriginal'),
  from: anyOf('kind ip iface'),
  to: anyOf('ip port protocol'),
  expect: anyOf('verdict dnat masquerade'),
}
const syncKeys: CaseKeys = {
  ...anyOf('mode chainsWritten chainsWrittenCount chainsDeleted note'),
  rulesLastSync: anyOf('filter nat'),
  rulesTotal: anyOf('filter nat'),
}
const familyKeys: CaseKeys = anyOf('IPv4 IPv6')
const tableKeys: CaseKeys = { IPv4: anyOf('chains sets maps'), IPv6: anyOf('chains sets maps') }

/** What may be asked at the start and after each step. */
const stateKeys: { readonly [key: string]: CaseKeys } = {
  ...anyOf('openPorts healthCounts note beyondOriginal'),
  flows: flowKeys,
  chains: anyOf('table chain family rules saved note'),
  rules: anyOf('table family rule saved note'),
  absent: anyOf('table family chain contains rule note'),
  noLocalEndpoints: anyOf('internal external'),
  requests: { ...anyOf('port path note'), expect: anyOf('status headers json text') },
  saved: familyKeys,
  tables: tableKeys,
}

/** The keys of a file, for `unknownKeys`. */
export const proxyCaseKeys: CaseKeys = {
  ...stateKeys,
  ...anyOf('scenario about cluster'),
  config: {
    ...anyOf('nodeName nodeIPs localAddresses clusterCIDR mode bindAddress healthzBindAddress metricsBindAddress'),
    ...anyOf('bindAddressHardFail enableProfiling showHiddenMetricsForVersion detectLocalMode detectLocal'),
    ...anyOf('nodePortAddresses iptables ipvs nftables winkernel conntrack configSyncPeriod clientConnection'),
    ...anyOf('hostnameOverride oomScoreAdj featureGates logging portRange windowsRunAsService'),
    env: anyOf('nfacct tcpBeLiberal'),
  },
  ruleset: familyKeys,
  steps: {
    ...stateKeys,
    ...anyOf('apply forceFullSync restoreContains restoreLacks largeClusterMode remaining savedChanges'),
    delete: anyOf('apiVersion kind namespace name'),
    sync: syncKeys,
    sync6: syncKeys,
    conntrackTable: anyOf('id protocol origSrc origSrcPort origDst origPort replySrc replyPort note'),
    conntrack: {
      ...anyOf('op id protocol origSrc origSrcPort origDst origPort replySrc replyPort'),
      ...anyOf('src srcPort origDstPort replySrcPort note beyondOriginal'),
    },
    seed: anyOf('protocol src srcPort origDst origDstPort replySrc replySrcPort note'),
    tableChanges: tableKeys,
  },
}

/** Whether a file describes a node and its rules. */
export function isProxyCase(data: Readonly<Record<string, unknown>>): boolean {
  const config = data['config']
  return typeof config === 'object' && config !== null && ('nodeName' in config || 'nodeIPs' in config)
}
