// config-decoding, config-defaults, config-validation: files and flags through the daemon's own loading.

import { deepEqual } from '@kubewire/kube-model'
import { checkConfiguration } from '../../../../apps/kube-proxy-ts/src/config/check.ts'
import { type ProxyConfiguration, withDefaults } from '../../../../apps/kube-proxy-ts/src/config/defaults.ts'
import { loadConfiguration } from '../../../../apps/kube-proxy-ts/src/config/load.ts'
import { type GivenValues, parseConfiguration } from '../../../../apps/kube-proxy-ts/src/config/parse.ts'
import { configurationData } from '../../../../apps/kube-proxy-ts/src/config/print.ts'
import { readFlags } from '../../../../apps/kube-proxy-ts/src/flags.ts'
import { type Checks, pick } from './check.ts'

type Row = Readonly<Record<string, unknown>>

const head = { apiVersion: 'kubeproxy.config.k8s.io/v1alpha1', kind: 'KubeProxyConfiguration' }
const headText = 'apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n'

export async function configDecodingCase(data: Row, checks: Checks): Promise<void> {
  for (const [i, row] of (data['cases'] as Row[]).entries()) {
    if (row['flags'] !== undefined) await checkFlags(row, `cases[${i}]`, checks)
    else checkText(row, `cases[${i}]`, checks)
  }
}

function checkText(row: Row, name: string, checks: Checks): void {
  const text = textOf(row)
  const { values, problems } = parseConfiguration(text, 'config.yaml')
  const reasons = problems.map((problem) => problem.message).join('; ')
  if (row['loads'] !== undefined)
    checks.ok(
      `${name} loads`,
      (values !== undefined) === row['loads'],
      `wanted loads: ${String(row['loads'])}, found ${reasons}`,
    )
  if (row['reason'] !== undefined) checks.ok(`${name} reason`, reasons.includes(String(row['reason'])), reasons)
  if (row['loads'] === true) checks.ok(`${name} warns`, problems.length > 0, 'no warning was given')
  if (values !== undefined && row['effective'] !== undefined)
    checks.equal(`${name} effective`, row['effective'], pick(row['effective'], effectiveOf(withDefaults(values))))
}

function textOf(row: Row): string {
  if (row['text'] !== undefined) return String(row['text'])
  if (row['input'] !== undefined) return JSON.stringify({ ...head, ...(row['input'] as Row) })
  const extra = String(row['extra'])
  // In words: the line stands twice with the same value.
  return extra.startsWith('a second ')
    ? `${headText}bindAddress: 0.0.0.0\nbindAddress: 0.0.0.0\n`
    : `${headText}${extra}\n`
}

async function checkFlags(row: Row, name: string, checks: Checks): Promise<void> {
  const flags = readFlags(row['flags'] as string[])
  const file = JSON.stringify({ ...head, mode: 'iptables', clusterCIDR: '10.244.0.0/16' })
  const { configuration, problems } = await loadConfiguration(flags, async () => file)
  if (configuration === undefined) {
    checks.ok(`${name} loads`, false, problems.map((problem) => problem.message).join('; '))
    return
  }
  const wanted = row['effective']
  if (wanted === 'file values') {
    const { values } = parseConfiguration(file, 'config.yaml')
    const alone = withDefaults(values as GivenValues)
    const [a, b] = [configurationData(configuration), configurationData(alone)]
    checks.ok(`${name} file values`, deepEqual(a, b), JSON.stringify(a))
  } else {
    const found = { hostnameOverride: configuration.hostnameOverride, verbosity: configuration.verbosity }
    checks.equal(`${name} effective`, wanted, pick(wanted, found))
  }
}

function effectiveOf(configuration: ProxyConfiguration): Row {
  const { syncPeriodMs, minSyncPeriodMs, masqueradeAll } = configuration
  const seconds = (ms: number): string => `${ms / 1000}s`
  return { syncPeriod: seconds(syncPeriodMs), minSyncPeriod: seconds(minSyncPeriodMs), masqueradeAll }
}

export function configDefaultsCase(data: Row, checks: Checks): void {
  const pairs = [
    { input: data['input'], resolved: data['resolved'] },
    ...((data['more'] as Row[] | undefined) ?? []),
  ] as Row[]
  for (const [i, row] of pairs.entries()) {
    const { values, problems } = parseConfiguration(
      JSON.stringify({ ...head, ...(row['input'] as Row) }),
      'config.yaml',
    )
    const name = i === 0 ? 'resolved' : `more[${i - 1}]`
    if (values === undefined) {
      checks.ok(name, false, problems.map((problem) => problem.message).join('; '))
      continue
    }
    const configuration = withDefaults(values)
    const printed = configurationData(configuration)
    const found = {
      featureGates: {},
      ...printed,
      nodePortAddresses: configuration.nodePortAddresses,
      detectLocal: { ...(printed['detectLocal'] as Row), clusterCIDRs: configuration.clusterCidrs },
    }
    for (const [key, wanted] of Object.entries(row['resolved'] as Row))
      checks.equal(`${name} ${key}`, wanted, pick(wanted, (found as Row)[key]))
  }
}

export function configValidationCase(data: Row, checks: Checks): void {
  const base = data['base'] as Row
  for (const [i, row] of (data['cases'] as Row[]).entries()) {
    const problems = checkConfiguration(afterDefaulting(merge(base, row['change'] as Row)))
    const found = problems.map((problem) => `${problem.path}: ${problem.message}`)
    if (row['valid'] === true) {
      checks.equal(`cases[${i}] valid`, [], found)
      continue
    }
    const wanted = row['errors'] as readonly { readonly field: string; readonly reason: string }[]
    for (const [j, { field, reason }] of wanted.entries()) {
      const isThere = problems.some((problem) => problem.path === field && problem.message.includes(reason))
      checks.ok(`cases[${i}].errors[${j}] ${field}`, isThere, `wanted ${field}: ${reason}\nfound ${found.join('\n')}`)
    }
    checks.equal(`cases[${i}] number of errors`, wanted.length, found.length)
  }
}

// The files start after defaulting: addresses stay as they are written, zero periods are not replaced.
function afterDefaulting(input: Row): ProxyConfiguration {
  const { values, problems } = parseConfiguration(JSON.stringify({ ...head, ...input }), 'config.yaml')
  if (values === undefined) throw new Error(problems.map((problem) => problem.message).join('; '))
  const configuration = withDefaults(values, { isOfFlags: true })
  const text = (key: string, otherwise: string): string => String(input[key] ?? otherwise)
  return {
    ...configuration,
    healthzBindAddress: text('healthzBindAddress', configuration.healthzBindAddress),
    metricsBindAddress: text('metricsBindAddress', configuration.metricsBindAddress),
  }
}

function merge(base: Row, change: Row): Row {
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(change)) {
    const before = merged[key]
    const isDeep = [before, value].every((one) => typeof one === 'object' && one !== null && !Array.isArray(one))
    merged[key] = isDeep ? merge(before as Row, value as Row) : value
  }
  return merged
}
