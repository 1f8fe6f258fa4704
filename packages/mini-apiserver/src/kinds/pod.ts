// Pod: defaults, the fields that may change, and the first conditions (kube-apiserver 1.37 `pkg/registry/core/pod`,
// `pkg/apis/core/v1/defaults.go`). Deletion with grace is in `verbs/delete.ts`.

import { deepEqual } from '@kubewire/kube-model'
import type { ApiObject } from '../api-object.ts'
import type { Cause } from '../api-status.ts'
import { duplicate, forbiddenField, invalidValue, required } from '../field-error.ts'
import {
  copyJson,
  isObject,
  type Json,
  type JsonObject,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
  textsAt,
} from '../json.ts'
import {
  type ApiKind,
  ageColumn,
  type Column,
  defineKind,
  nameColumn,
  printAge,
  statusSubresource,
} from './define-kind.ts'
import { dnsLabelProblem } from './validate-meta.ts'

/** Fills in a pod spec, in a Pod or in a template. */
export function setPodSpecDefaults(spec: JsonObject): void {
  spec['restartPolicy'] ??= 'Always'
  spec['terminationGracePeriodSeconds'] ??= 30
  spec['dnsPolicy'] ??= 'ClusterFirst'
  spec['securityContext'] ??= {}
  spec['schedulerName'] ??= 'default-scheduler'
  for (const list of ['containers', 'initContainers', 'ephemeralContainers']) {
    for (const container of objectsAt(spec, list)) setContainerDefaults(container, spec['hostNetwork'] === true)
  }
  for (const volume of objectsAt(spec, 'volumes')) setVolumeDefaults(volume)
}

function setContainerDefaults(container: JsonObject, isHostNetwork: boolean): void {
  container['imagePullPolicy'] ??= hasFixedTag(textAt(container, 'image')) ? 'IfNotPresent' : 'Always'
  container['resources'] ??= {}
  container['terminationMessagePath'] ??= '/dev/termination-log'
  container['terminationMessagePolicy'] ??= 'File'
  for (const port of objectsAt(container, 'ports')) {
    port['protocol'] ??= 'TCP'
    if (isHostNetwork) port['hostPort'] ??= port['containerPort']
  }
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = container[name]
    if (!isObject(probe)) continue
    probe['timeoutSeconds'] ??= 1
    probe['periodSeconds'] ??= 10
    probe['successThreshold'] ??= 1
    probe['failureThreshold'] ??= 3
    const get = probe['httpGet']
    if (isObject(get)) {
      get['path'] ??= '/'
      get['scheme'] ??= 'HTTP'
    }
  }
  for (const env of objectsAt(container, 'env')) {
    const reference = objectAt(env, 'valueFrom')['fieldRef']
    if (isObject(reference)) reference['apiVersion'] ??= 'v1'
  }
}

function hasFixedTag(image: string): boolean {
  if (image.includes('@')) return true
  const tag = /:([^/:]+)$/.exec(image)?.[1]
  return tag !== undefined && tag !== 'latest'
}

function setVolumeDefaults(volume: JsonObject): void {
  for (const source of ['secret', 'configMap', 'projected', 'downwardAPI']) {
    const value = volume[source]
    if (isObject(value)) value['defaultMode'] ??= 420
  }
  const host = volume['hostPath']
  if (isObject(host)) host['type'] ??= ''
  if (Object.keys(volume).length === 1) volume['emptyDir'] = {}
}

const tolerations: readonly JsonObject[] = ['not-ready', 'unreachable'].map((reason) => ({
  key: `node.kubernetes.io/${reason}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
}))

function prepareCreate(pod: ApiObject): void {
  const spec = objectAt(pod, 'spec')
  spec['preemptionPolicy'] ??= 'PreemptLowerPriority'
  spec['priority'] ??= 0
  pod['status'] = { phase: 'Pending', qosClass: qosClassOf(spec) }
  const have = objectsAt(spec, 'tolerations')
  const missing = tolerations.filter(
    (wanted) => !have.some((one) => one['key'] === wanted['key'] && (one['effect'] ?? 'NoExecute') === 'NoExecute'),
  )
  if (missing.length > 0) spec['tolerations'] = [...have, ...missing.map((one) => copyJson(one))]
}

function setPodDefaults(pod: ApiObject): void {
  const spec = objectAt(pod, 'spec')
  pod['spec'] = spec
  setPodSpecDefaults(spec)
  spec['enableServiceLinks'] ??= true
}

function qosClassOf(spec: JsonObject): string {
  const all = [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')].map((each) =>
    objectAt(each, 'resources'),
  )
  const isEmpty = (value: Json | undefined) => !isObject(value) || Object.keys(value).length === 0
  if (all.every((each) => isEmpty(each['requests']) && isEmpty(each['limits']))) return 'BestEffort'
  const isGuaranteed = all.every((each) => {
    const limits = objectAt(each, 'limits')
    const requests = isEmpty(each['requests']) ? limits : objectAt(each, 'requests')
    return ['cpu', 'memory'].every((name) => limits[name] !== undefined && limits[name] === requests[name])
  })
  return isGuaranteed ? 'Guaranteed' : 'Burstable'
}

function validatePod(pod: ApiObject, _context: unknown, old?: ApiObject): Cause[] {
  const spec = objectAt(pod, 'spec')
  if (old) return changedSpecCauses(spec, objectAt(old, 'spec'))
  const containers = objectsAt(spec, 'containers')
  if (containers.length === 0) return [required('spec.containers')]
  return [...containerCauses(containers), ...policyCauses(spec)]
}

function containerCauses(containers: readonly JsonObject[]): Cause[] {
  const names = containers.map((container) => textAt(container, 'name'))
  return containers.flatMap((container, i) => {
    const path = `spec.containers[${i}]`
    const name = names[i] ?? ''
    const causes: Cause[] = []
    const problem = dnsLabelProblem(name)
    if (name === '') causes.push(required(`${path}.name`))
    else if (problem !== undefined) causes.push(invalidValue(`${path}.name`, name, problem))
    else if (names.indexOf(name) < i) causes.push(duplicate(`${path}.name`, name))
    if (textAt(container, 'image') === '') causes.push(required(`${path}.image`))
    return causes
  })
}

const restartPolicies = ['Always', 'OnFailure', 'Never']
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']

function policyCauses(spec: JsonObject): Cause[] {
  return [...wordCauses(spec, 'restartPolicy', restartPolicies), ...wordCauses(spec, 'dnsPolicy', dnsPolicies)]
}

// COMPAT: these lists of words are not sorted.
function wordCauses(spec: JsonObject, key: string, words: readonly string[]): Cause[] {
  const found = textAt(spec, key)
  if (words.includes(found)) return []
  const list = words.map((word) => JSON.stringify(word)).join(', ')
  const message = `Unsupported value: ${JSON.stringify(found)}: supported values: ${list}`
  return [{ reason: 'FieldValueNotSupported', message, field: `spec.${key}` }]
}

const mutableRule =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

function changedSpecCauses(spec: JsonObject, old: JsonObject): Cause[] {
  const fixed = (value: JsonObject): JsonObject => {
    const { activeDeadlineSeconds: _a, tolerations: _t, terminationGracePeriodSeconds: _g, ...rest } = copyJson(value)
    for (const list of ['containers', 'initContainers', 'ephemeralContainers']) {
      for (const container of objectsAt(rest, list)) delete container['image']
    }
    return rest
  }
  const [before, after] = [fixed(old), fixed(spec)]
  if (deepEqual(before, after)) return []
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => !deepEqual(before[key], after[key]),
  )
  const diff = keys.map(
    (key) => `- ${key}: ${JSON.stringify(before[key] ?? null)}\n+ ${key}: ${JSON.stringify(after[key] ?? null)}`,
  )
  return [forbiddenField('spec', `${mutableRule}\n${diff.join('\n')}\n`)]
}

const status = (pod: ApiObject) => objectAt(pod, 'status')
const spec = (pod: ApiObject) => objectAt(pod, 'spec')

function readyCell(pod: ApiObject): string {
  const statuses = objectsAt(status(pod), 'containerStatuses')
  const total = objectsAt(spec(pod), 'containers').length
  if (statuses.length > 0) return `${statuses.filter((each) => each['ready'] === true).length}/${total}`
  const isReady = objectsAt(status(pod), 'conditions').some(
    (each) => each['type'] === 'Ready' && each['status'] === 'True',
  )
  return `${isReady ? total : 0}/${total}`
}

function statusCell(pod: ApiObject): string {
  if (pod.metadata.deletionTimestamp !== undefined) return 'Terminating'
  for (const each of objectsAt(status(pod), 'containerStatuses')) {
    const waiting = textAt(objectAt(objectAt(each, 'state'), 'waiting'), 'reason')
    if (waiting !== '') return waiting
  }
  return textAt(status(pod), 'reason') || textAt(status(pod), 'phase')
}

function restartsCell(pod: ApiObject, nowMs: number): string {
  const statuses = objectsAt(status(pod), 'containerStatuses')
  const count = statuses.reduce((sum, each) => sum + (numberAt(each, 'restartCount') ?? 0), 0)
  const ends = statuses
    .map((each) => textAt(objectAt(objectAt(each, 'lastState'), 'terminated'), 'finishedAt'))
    .filter((at) => at !== '')
  const last = ends.sort().at(-1)
  return last === undefined || count === 0 ? String(count) : `${count} (${printAge(last, nowMs)} ago)`
}

const wide = (name: string, cell: (pod: ApiObject) => string): Column => ({
  name,
  type: 'string',
  priority: 1,
  cell: (pod) => cell(pod) || '<none>',
})

const columns: readonly Column[] = [
  nameColumn,
  { name: 'Ready', type: 'string', cell: readyCell },
  { name: 'Status', type: 'string', cell: statusCell },
  { name: 'Restarts', type: 'string', cell: restartsCell },
  ageColumn,
  wide('IP', (pod) => textAt(status(pod), 'podIP')),
  wide('Node', (pod) => textAt(spec(pod), 'nodeName')),
  wide('Nominated Node', (pod) => textAt(status(pod), 'nominatedNodeName')),
  wide('Readiness Gates', () => ''),
]

/** Pod (v1). */
export const pod: ApiKind = defineKind({
  kind: 'Pod',
  plural: 'pods',
  shortNames: ['po'],
  categories: ['all'],
  type: 'core.Pod',
  hasGeneration: true,
  answersDeleteWithObject: true,
  subresources: [
    { name: 'binding', verbs: ['create'], responseKind: { group: '', version: 'v1', kind: 'Binding' } },
    { name: 'ephemeralcontainers', verbs: ['get', 'patch', 'update'] },
    { name: 'eviction', verbs: ['create'], responseKind: { group: 'policy', version: 'v1', kind: 'Eviction' } },
    { name: 'log', verbs: ['get'] },
    { name: 'resize', verbs: ['get', 'patch', 'update'] },
    statusSubresource,
  ],
  selectable: {
    'spec.nodeName': (each) => textAt(spec(each), 'nodeName'),
    'spec.restartPolicy': (each) => textAt(spec(each), 'restartPolicy'),
    'spec.schedulerName': (each) => textAt(spec(each), 'schedulerName'),
    'spec.serviceAccountName': (each) => textAt(spec(each), 'serviceAccountName'),
    'spec.hostNetwork': (each) => String(spec(each)['hostNetwork'] === true),
    'status.phase': (each) => textAt(status(each), 'phase'),
    'status.podIP': (each) => textAt(status(each), 'podIP') || textsAt(status(each), 'podIPs')[0] || '',
    'status.podIPs': (each) => textAt(objectsAt(status(each), 'podIPs')[0], 'ip'),
    'status.nominatedNodeName': (each) => textAt(status(each), 'nominatedNodeName'),
  },
  columns,
  rules: {
    prepareCreate,
    prepareUpdate: (object, old) => {
      // A template without these keeps what admission added.
      const next = objectAt(object, 'spec')
      if (next['serviceAccountName'] === undefined && objectAt(old, 'spec')['serviceAccountName'] !== undefined) {
        next['serviceAccountName'] = objectAt(old, 'spec')['serviceAccountName']
      }
    },
    prepareStatus: (object, old) => {
      objectAt(object, 'status')['qosClass'] ??= objectAt(old, 'status')['qosClass']
    },
    setDefaults: setPodDefaults,
    validate: validatePod,
  },
})
