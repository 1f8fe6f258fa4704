// Which files are proxy cases: those of objects, whose format the library has, and those whose steps are words, each
// with its own keys (README of the suite). A key outside these tables makes the runner fail.

import { isProxyCase as isObjectCase, proxyCaseKeys } from '@kubewire/iptables-gen/cases'
import { type CaseKeys, printCasePath, unknownKeys } from '@kubewire/kube-model/cases'
import type { CaseFile } from '../area.ts'

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
    'steps.requests': ['port', 'path', 'expect', 'note'],
    'steps.requests.expect': ['status', 'headers', 'json', 'text'],
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
  return isTop && unknownKeys(data, treeOf(levels)).length === 0
}

const common = ['scenario', 'about', 'note', 'beyondOriginal']

/** Whether a file's top-level keys are of a proxy format. */
export function isProxyCase(data: Readonly<Record<string, unknown>>): boolean {
  if (isObjectCase(data)) return true
  // Ingress cases share names with ours (config-defaults) and have objects or backends instead of words.
  if ('backends' in data) return false
  const scenario = String(data['scenario'] ?? '')
  return wordKeys[scenario] !== undefined || Object.keys(wordKeys).some((name) => isOfFormat(data, name))
}

/** Keys that the file's format does not have, with their paths. */
export function unknownCaseKeys(file: CaseFile): readonly string[] {
  const word = wordFormat(file)
  return unknownKeys(file.data, word === undefined ? proxyCaseKeys : treeOf(wordKeys[word] ?? {})).map(printCasePath)
}

/** Levels by path (`steps.requests`) as one tree; a level that is not listed may hold anything. */
function treeOf(levels: Readonly<Record<string, readonly string[]>>, level = ''): CaseKeys {
  const keys = levels[level]
  if (keys === undefined) return 'any'
  return Object.fromEntries(
    [...keys, ...common].map((key) => [key, treeOf(levels, level === '' ? key : `${level}.${key}`)]),
  )
}
