// Reads the kubernetes directive: every option with the original's refusals (CoreDNS plugin/kubernetes/setup.go).

import { parseSelector, type Selector } from '@kubewire/kube-model'
import type { Directive } from '../corefile/directive.ts'
import { importedServiceLabel } from '../kube/cluster-objects.ts'
import type { ClusterAccess, WatchRequest, WatchScope } from '../kube/cluster-view.ts'
import { isReverseName, type PodMode, type ZoneOptions } from '../kube/zone-options.ts'
import type { Name } from '../name.ts'
import type { ConfigureInput, PropertySpec } from '../plugin.ts'
import {
  durationProblem,
  fallthroughZones,
  goSyntaxError,
  integerProblem,
  plainInteger,
  zoneList,
  zonesOrBlock,
} from './zone-arguments.ts'

/** What the kubernetes directive says. */
export interface KubernetesConfig {
  readonly options: ZoneOptions
  readonly fallthrough: readonly Name[]
  readonly watch: WatchRequest
  readonly hasEndpoints: boolean
}

const many = Number.POSITIVE_INFINITY

export const kubernetesProperties: { readonly [name: string]: PropertySpec } = {
  endpoint: { min: 1, max: many, syntax: 'URL', summary: 'API server when no kubeconfig is given.' },
  tls: { min: 3, max: 3, syntax: 'CERT KEY CACERT', summary: 'Client certificate for `endpoint`.' },
  kubeconfig: { min: 1, max: 2, syntax: 'FILE [CONTEXT]', summary: 'Kubeconfig; wins over `endpoint`.' },
  apiserver_qps: { min: 1, max: 1, syntax: 'N', summary: 'Requests a second to the API server.' },
  apiserver_burst: { min: 1, max: 1, syntax: 'N', summary: 'Burst of requests to the API server.' },
  apiserver_max_inflight: { min: 1, max: 1, syntax: 'N', summary: 'Requests to the API server at one time.' },
  namespaces: { min: 1, max: many, syntax: 'NS...', summary: 'Only these namespaces exist.' },
  namespace_labels: { min: 1, max: many, syntax: 'EXPR', summary: 'Only namespaces that match exist.' },
  labels: { min: 1, max: many, syntax: 'EXPR', summary: 'Only objects that match are seen.' },
  pods: { min: 1, max: 1, syntax: 'disabled|insecure|verified', summary: 'Which pods have names.' },
  endpoint_pod_names: { min: 0, max: 0, syntax: '', summary: 'Endpoints without hostname are named like their pod.' },
  ttl: { min: 1, max: 99, syntax: 'N', summary: 'TTL of records in seconds, 0 to 3600, default 5.' },
  noendpoints: { min: 0, max: 0, syntax: '', summary: 'Endpoints are not watched and do not exist.' },
  fallthrough: { min: 0, max: many, syntax: '[ZONES...]', summary: 'Names that do not exist go to the next plugin.' },
  ignore: { min: 0, max: many, syntax: 'empty_service', summary: 'Services without ready endpoints do not exist.' },
  multicluster: { min: 0, max: many, syntax: 'ZONES...', summary: 'Zones of imported services.' },
  zonal: { min: 0, max: 0, syntax: '', summary: 'Names for endpoints of one topology zone.' },
  startup_timeout: { min: 1, max: 99, syntax: 'D', summary: 'How long the start waits for the first lists.' },
}

/** Reads the directive. */
export function configureKubernetes(input: ConfigureInput): KubernetesConfig {
  const [directive] = input.directives
  if (directive === undefined) throw new Error('a plugin is configured only where its directive stands')
  const zones = zonesOrBlock(input, directive.args)
  if (!zones.some((zone) => !isReverseName(zone))) input.failPlain('non-reverse zone name must be used')
  const lines = (name: string): Directive[] => (directive.block ?? []).filter((line) => line.name.text === name)
  const last = (name: string): Directive | undefined => lines(name).pop()
  const has = (name: string): boolean => lines(name).length > 0
  const podMode = podModeOf(input, last('pods'))
  const multiclusterZones = lines('multicluster').flatMap((line) => zoneList(input, line.args))
  checkCombinations(input, directive, zones, multiclusterZones)
  const options: ZoneOptions = {
    zones,
    namespaces: new Set(lines('namespaces').flatMap((line) => line.args.map((arg) => arg.text))),
    podMode,
    usesPodNames: has('endpoint_pod_names'),
    ttlSeconds: ttlOf(input, last('ttl')),
    ignoresEmptyServices: ignoresEmpty(input, lines('ignore')),
    multiclusterZones,
    hasZonalNames: has('zonal'),
  }
  const labels = selectorOf(input, last('labels'), 'label')
  const namespaceLabels = selectorOf(input, last('namespace_labels'), 'namespace_label')
  const hasEndpoints = !has('noendpoints')
  const kinds = watchedKinds({
    labels,
    namespaceLabels,
    podMode,
    hasEndpoints,
    isMulticluster: multiclusterZones.length > 0,
  })
  const startupTimeoutMs = startupTimeout(input, last('startup_timeout'))
  return {
    options,
    fallthrough: lines('fallthrough').flatMap((line) => fallthroughZones(input, line)),
    watch: { access: accessOf(input, lines), kinds, startupTimeoutMs },
    hasEndpoints,
  }
}

function watchedKinds(facts: {
  readonly labels: string
  readonly namespaceLabels: string
  readonly podMode: PodMode
  readonly hasEndpoints: boolean
  readonly isMulticluster: boolean
}): WatchRequest['kinds'] {
  const scope = (labelSelector: string, fieldSelector = ''): WatchScope => ({ labelSelector, fieldSelector })
  const running = 'status.phase!=Succeeded,status.phase!=Failed,status.phase!=Unknown'
  const imported = facts.labels === '' ? importedServiceLabel : `${facts.labels},${importedServiceLabel}`
  return {
    Service: scope(facts.labels),
    Namespace: scope(facts.namespaceLabels),
    ...(facts.hasEndpoints ? { EndpointSlice: scope(facts.labels) } : {}),
    ...(facts.podMode === 'verified' ? { Pod: scope(facts.labels, running) } : {}),
    // COMPAT: imports are filtered by the selector for namespaces, applied to their own labels.
    ...(facts.isMulticluster ? { ServiceImport: scope(facts.namespaceLabels), ImportedSlice: scope(imported) } : {}),
  }
}

function checkCombinations(
  input: ConfigureInput,
  directive: Directive,
  zones: readonly Name[],
  multiclusterZones: readonly Name[],
): void {
  const has = (name: string): boolean => (directive.block ?? []).some((line) => line.name.text === name)
  if (has('namespaces') && has('namespace_labels')) {
    input.fail('namespaces and namespace_labels cannot both be set', directive.end)
  }
  if (has('zonal') && has('noendpoints')) {
    input.fail('zonal requires the endpoint cache; remove noendpoints', directive.end)
  }
  for (const zone of multiclusterZones) {
    if (zones.includes(zone)) continue
    input.fail(
      `is not authoritative for the multicluster zone ${zone} (authoritative zones: [${zones.join(' ')}])`,
      directive.end,
    )
  }
}

function podModeOf(input: ConfigureInput, line: Directive | undefined): PodMode {
  const text = line?.args[0]?.text
  if (text === undefined) return 'disabled'
  if (text === 'disabled' || text === 'insecure' || text === 'verified') return text
  input.failPlain(`wrong value for pods: ${text},  must be one of: disabled, verified, insecure`)
  return 'disabled'
}

function ttlOf(input: ConfigureInput, line: Directive | undefined): number {
  const token = line?.args[0]
  if (token === undefined) return 5
  const ttl = plainInteger(input, token) ?? 5
  if (ttl < 0 || ttl > 3600) input.fail(`ttl must be in range [0, 3600]: ${ttl}`, token)
  return ttl
}

function ignoresEmpty(input: ConfigureInput, lines: readonly Directive[]): boolean {
  for (const { text } of lines.flatMap((line) => line.args.slice(0, 1))) {
    if (text !== 'empty_service') input.failPlain(`unable to parse ignore value: '${text}'`)
  }
  return lines.some((line) => line.args[0]?.text === 'empty_service')
}

function startupTimeout(input: ConfigureInput, line: Directive | undefined): number {
  const text = line?.args[0]?.text
  if (text === undefined) return 5000
  const read = durationProblem(text)
  if (typeof read === 'string') input.failPlain(`failed to parse startup_timeout: ${text}, ${read}`)
  return typeof read === 'string' ? 5000 : read
}

function selectorOf(input: ConfigureInput, line: Directive | undefined, name: string): string {
  if (line === undefined) return ''
  const text = line.args.map((arg) => arg.text).join(' ')
  const prefix = `unable to parse ${name} selector value: '${text}': `
  const selector: Selector | undefined = parseSelector(text)
  if (text.includes('!=')) input.failPlain(`${prefix}"!=" is not a valid label selector operator`)
  else if (/[<>]/.test(text))
    input.failPlain(`${prefix}"${text.includes('>') ? 'gt' : 'lt'}" isn't supported in label selectors`)
  else if (selector === undefined)
    input.failPlain(`${prefix}couldn't parse the selector string ${JSON.stringify(text)}`)
  return text
}

function accessOf(input: ConfigureInput, lines: (name: string) => Directive[]): ClusterAccess {
  const kubeconfig =
    lines('kubeconfig')
      .pop()
      ?.args.map((arg) => arg.text) ?? []
  const [file, context] = kubeconfig
  const endpoint = lines('endpoint').pop()?.args[0]?.text
  const [cert, key, ca] =
    lines('tls')
      .pop()
      ?.args.map((arg) => arg.text) ?? []
  return {
    ...(file === undefined ? {} : { kubeconfig: context === undefined ? { file } : { file, context } }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(cert === undefined || key === undefined || ca === undefined ? {} : { tls: { cert, key, ca } }),
    qps: positiveNumber(input, lines('apiserver_qps').pop(), 'apiserver_qps'),
    burst: positiveInteger(input, lines('apiserver_burst').pop(), 'apiserver_burst'),
    maxInflight: positiveInteger(input, lines('apiserver_max_inflight').pop(), 'apiserver_max_inflight'),
  }
}

function positiveInteger(input: ConfigureInput, line: Directive | undefined, name: string): number {
  if (line === undefined) return 0
  const text = line.args[0]?.text ?? ''
  const value = integerProblem(text, 'Atoi')
  if (typeof value === 'string') input.fail(`invalid ${name} ${JSON.stringify(text)}: ${value}`, line.end)
  else if (value < 0) input.fail(`${name} must be >= 0`, line.end)
  return Number(value)
}

function positiveNumber(input: ConfigureInput, line: Directive | undefined, name: string): number {
  const token = line?.args[0]
  if (line === undefined || token === undefined) return 0
  const value = Number(token.text)
  if (Number.isNaN(value) || token.text === '')
    input.fail(`invalid ${name} ${JSON.stringify(token.text)}: ${goSyntaxError('ParseFloat', token.text)}`, token)
  else if (value < 0) input.fail(`${name} must be >= 0`, line.end)
  return value
}
