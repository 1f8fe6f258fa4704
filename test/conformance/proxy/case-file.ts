// The proxy case formats as types, and which keys they have. A key outside this table makes the runner fail.

import type { CaseFile } from '../area.ts'

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

/** A file whose steps are objects. */
export interface ObjectCase {
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

// Keys by the path of the object that holds them; `*` stands for any name. Objects of the API are not looked into.
const flowKeys = {
  from: ['kind', 'ip', 'iface'],
  to: ['ip', 'port', 'protocol'],
  expect: ['verdict', 'dnat', 'masquerade'],
} as const
const syncKeys = ['mode', 'chainsWritten', 'chainsWrittenCount', 'chainsDeleted', 'rulesLastSync', 'rulesTotal', 'note']
const requestKeys = { request: ['port', 'path', 'expect', 'note'], expect: ['status', 'headers', 'json', 'text'] }

const objectKeys =
  'scenario about note config cluster flows chains rules absent ruleset steps noLocalEndpoints saved healthCounts tables requests openPorts beyondOriginal'.split(
    ' ',
  )
const configKeys =
  'nodeName nodeIPs localAddresses env clusterCIDR mode bindAddress healthzBindAddress metricsBindAddress bindAddressHardFail enableProfiling showHiddenMetricsForVersion detectLocalMode detectLocal nodePortAddresses iptables ipvs nftables winkernel conntrack configSyncPeriod clientConnection hostnameOverride oomScoreAdj featureGates logging portRange windowsRunAsService'.split(
    ' ',
  )
const stepKeys =
  'note apply delete forceFullSync sync sync6 flows restoreContains restoreLacks largeClusterMode requests openPorts conntrackTable conntrack remaining seed saved savedChanges healthCounts noLocalEndpoints tables tableChanges chains rules absent beyondOriginal'.split(
    ' ',
  )

/** Files whose steps are words rather than objects, with the keys of each level (README of the suite). */
const wordKeys: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'canary-monitor': {
    '': ['config', 'timeline'],
    config: ['iptables'],
    'config.iptables': ['syncPeriod'],
    timeline: ['at', 'expectChains', 'deleted', 'fullSync', 'listExit', 'beyondOriginal'],
  },
  'sync-runner': {
    '': ['config', 'timeline'],
    config: ['minSyncPeriod', 'retry', 'maxInterval'],
    timeline: ['at', 'request', 'runs', 'nextResult'],
  },
  'healthz-and-livez': {
    '': ['config', 'timeline', 'headers', 'metrics'],
    timeline: ['at', 'updated', 'queued', 'node', 'get', 'json', 'status'],
    'timeline.node': ['taints', 'deletionTimestamp'],
  },
  'failed-sync': {
    '': ['steps'],
    steps: ['restoreExit', 'saveExit', 'mode', 'nextSync', 'retryAfter', 'healthUpdated', 'metrics'],
  },
  'jump-rules': { '': ['inserts', 'savedBuiltins'], inserts: ['table', 'chain', 'args'] },
  'jump-rules-kept': {
    '': ['steps'],
    steps: ['existing', 'remove', 'sync', 'expectAfter'],
    'steps.existing': ['table', 'chain', 'rules'],
  },
  'conntrack-when-it-runs': { '': ['steps'], steps: ['change', 'cleanup', 'deleted', 'family'] },
  'conntrack-sysctls': { '': ['cases'], cases: ['conntrack', 'cpus', 'sets'] },
  'service-change-tracker': {
    '': ['base', 'steps'],
    steps: ['event', 'apply', 'pending', 'syncRequested', 'updatedServices', 'ports', 'portsAfterApply'],
  },
  'endpointslice-change-tracker': { '': ['steps'], steps: ['event', 'apply', 'changed', 'updatedServices', 'pending'] },
  'start-order': { '': ['steps'], steps: ['event', 'syncs', 'mode'] },
  'health-check-node-port-server': {
    '': ['listen', 'steps'],
    steps: ['services', 'endpoints', 'proxyHealthy', 'openPorts', 'requests'],
    'steps.requests': requestKeys.request,
    'steps.requests.expect': requestKeys.expect,
  },
  'config-decoding': {
    '': ['cases'],
    cases: ['input', 'text', 'extra', 'flags', 'loads', 'reason', 'effective'],
  },
  'config-defaults': { '': ['input', 'resolved', 'more'], more: ['input', 'resolved'] },
  'config-validation': {
    '': ['base', 'cases'],
    cases: ['change', 'valid', 'errors'],
    'cases.errors': ['field', 'reason'],
  },
  'node-ip-detection': {
    '': ['cases'],
    cases: ['nodeAddresses', 'bindAddress', 'expect'],
    'cases.expect': ['primaryFamily', 'IPv4', 'IPv6'],
  },
  'node-port-address-resolution': {
    '': ['cases'],
    cases: ['nodePortAddresses', 'interfaceAddresses', 'expect'],
    'cases.expect': ['IPv4', 'IPv6'],
    'cases.expect.IPv4': ['matchAll', 'ips', 'loopback'],
    'cases.expect.IPv6': ['matchAll', 'ips', 'loopback'],
  },
  'rule-counts': {
    '': ['cases'],
    cases: ['services', 'endpointsPerService', 'loadBalancer', 'expect'],
    'cases.expect': ['filter', 'nat'],
  },
  'chain-names': {
    '': ['names'],
    names: ['servicePort', 'protocol', 'chains', 'endpoint', 'endpointChain'],
    'names.chains': ['SVC', 'SVL', 'EXT', 'FW'],
  },
  'cleanup-leftovers': {
    '': ['before', 'after'],
    after: ['filter', 'nat', 'mangle'],
    'after.filter': ['chains', 'rules'],
    'after.nat': ['chains', 'rules'],
    'after.mangle': ['chains', 'rules'],
  },
}

const objectLevels: Readonly<Record<string, readonly string[]>> = {
  '': objectKeys,
  config: configKeys,
  'config.env': ['nfacct', 'tcpBeLiberal'],
  flows: ['from', 'to', 'expect', 'note', 'beyondOriginal'],
  'flows.from': flowKeys.from,
  'flows.to': flowKeys.to,
  'flows.expect': flowKeys.expect,
  chains: ['table', 'chain', 'family', 'rules', 'saved', 'note'],
  rules: ['table', 'family', 'rule', 'saved', 'note'],
  absent: ['table', 'family', 'chain', 'contains', 'rule', 'note'],
  ruleset: ['IPv4', 'IPv6'],
  noLocalEndpoints: ['internal', 'external'],
  requests: requestKeys.request,
  'requests.expect': requestKeys.expect,
  saved: ['IPv4', 'IPv6'],
  tables: ['IPv4', 'IPv6'],
  'tables.IPv4': ['chains', 'sets', 'maps'],
  'tables.IPv6': ['chains', 'sets', 'maps'],
  steps: stepKeys,
  'steps.flows': ['from', 'to', 'expect', 'note', 'beyondOriginal'],
  'steps.flows.from': flowKeys.from,
  'steps.flows.to': flowKeys.to,
  'steps.flows.expect': flowKeys.expect,
  'steps.sync': syncKeys,
  'steps.sync6': syncKeys,
  'steps.sync.rulesLastSync': ['filter', 'nat'],
  'steps.sync.rulesTotal': ['filter', 'nat'],
  'steps.delete': ['apiVersion', 'kind', 'namespace', 'name'],
  'steps.requests': requestKeys.request,
  'steps.requests.expect': requestKeys.expect,
  'steps.noLocalEndpoints': ['internal', 'external'],
  'steps.conntrackTable': 'id protocol origSrc origSrcPort origDst origPort replySrc replyPort note'.split(' '),
  'steps.conntrack':
    'op id protocol origSrc origSrcPort origDst origPort replySrc replyPort src srcPort origDstPort replySrcPort note beyondOriginal'.split(
      ' ',
    ),
  'steps.seed': 'protocol src srcPort origDst origDstPort replySrc replySrcPort note'.split(' '),
  'steps.savedChanges': ['IPv4', 'IPv6'],
  'steps.saved': ['IPv4', 'IPv6'],
  'steps.tables': ['IPv4', 'IPv6'],
  'steps.tableChanges': ['IPv4', 'IPv6'],
  'steps.tableChanges.IPv4': ['chains', 'sets', 'maps'],
  'steps.tableChanges.IPv6': ['chains', 'sets', 'maps'],
}

/** The word format of a file, by its scenario; `undefined` for files of objects. */
export function wordFormat(file: CaseFile): string | undefined {
  const scenario = String(file.data['scenario'] ?? file.name)
  const format = wordKeys[scenario]
  if (format !== undefined) return scenario
  // A file of the same format under another name is told by its keys.
  return Object.keys(wordKeys).find((name) => isOfFormat(file.data, name))
}

function isOfFormat(data: Readonly<Record<string, unknown>>, name: string): boolean {
  if (data['cluster'] !== undefined || data['flows'] !== undefined) return false
  const levels = wordKeys[name] ?? {}
  const keys = Object.keys(data).filter((key) => !common.includes(key))
  const isTop = keys.length > 0 && keys.every((key) => levels['']?.includes(key))
  return isTop && unknownIn(data, levels).length === 0
}

const common = ['scenario', 'about', 'note', 'beyondOriginal']

/** Whether a file's top-level keys are of a proxy format. */
export function isProxyCase(data: Readonly<Record<string, unknown>>): boolean {
  const config = data['config'] as CaseConfig | undefined
  if (config !== null && typeof config === 'object' && ('nodeName' in config || 'nodeIPs' in config)) return true
  // Ingress cases share names with ours (config-defaults) and have objects or backends instead of words.
  if ('backends' in data) return false
  const scenario = String(data['scenario'] ?? '')
  return wordKeys[scenario] !== undefined || Object.keys(wordKeys).some((name) => isOfFormat(data, name))
}

/** Keys that the file's format does not have, with their paths. */
export function unknownCaseKeys(file: CaseFile): readonly string[] {
  const word = wordFormat(file)
  return unknownIn(file.data, word === undefined ? objectLevels : (wordKeys[word] ?? {}))
}

function unknownIn(data: unknown, levels: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const found: string[] = []
  const walk = (value: unknown, path: string): void => {
    if (Array.isArray(value)) {
      for (const item of value) walk(item, path)
      return
    }
    if (typeof value !== 'object' || value === null) return
    const known = levels[path]
    for (const [key, inner] of Object.entries(value)) {
      if (known !== undefined && !known.includes(key) && !common.includes(key)) {
        found.push(path === '' ? key : `${path}.${key}`)
      }
      const below = path === '' ? key : `${path}.${key}`
      if (Object.keys(levels).some((level) => level === below || level.startsWith(`${below}.`))) walk(inner, below)
    }
  }
  walk(data, '')
  return [...new Set(found)]
}
