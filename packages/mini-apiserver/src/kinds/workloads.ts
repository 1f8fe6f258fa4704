// Deployments and their company: stored, shown and scaled; nothing runs them.

import { type LabelSelector, matchesSelector, printSelector, selectorOf } from '@kubewire/kube-model'
import type { ApiObject } from '../api-object.ts'
import type { Cause } from '../api-status.ts'
import { required } from '../field-error.ts'
import { isObject, numberAt, objectAt, objectsAt, textAt } from '../json.ts'
import {
  type ApiKind,
  ageColumn,
  type Column,
  defineKind,
  type KindDefinition,
  nameColumn,
  type Subresource,
  statusSubresource,
} from './define-kind.ts'
import { setPodSpecDefaults } from './pod.ts'

const scaleSubresource: Subresource = {
  name: 'scale',
  verbs: ['get', 'patch', 'update'],
  responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
}

const spec = (object: ApiObject) => objectAt(object, 'spec')
const status = (object: ApiObject) => objectAt(object, 'status')
const count = (name: string, of: (object: ApiObject) => number | undefined): Column => ({
  name,
  type: 'integer',
  cell: (object) => of(object) ?? 0,
})

/** Shown with `-o wide`: containers, images, and how the pods are found. */
const podColumns: readonly Column[] = [
  { name: 'Containers', type: 'string', priority: 1, cell: (object) => printContainers(object, 'name') },
  { name: 'Images', type: 'string', priority: 1, cell: (object) => printContainers(object, 'image') },
]
const selectorColumn: Column = {
  name: 'Selector',
  type: 'string',
  priority: 1,
  cell: (object) => {
    const selector = selectorOf(objectAt(spec(object), 'selector') as LabelSelector)
    return selector && selector.length > 0 ? printSelector(selector) : '<none>'
  },
}

function printContainers(object: ApiObject, field: 'name' | 'image'): string {
  const template = objectAt(spec(object), 'template')
  return objectsAt(objectAt(template, 'spec'), 'containers')
    .map((container) => textAt(container, field))
    .join(',')
}

function printNodeSelector(object: ApiObject): string {
  const podSpec = objectAt(objectAt(spec(object), 'template'), 'spec')
  const labels = Object.entries(objectAt(podSpec, 'nodeSelector')).sort(([a], [b]) => (a < b ? -1 : 1))
  return labels.map(([key, value]) => `${key}=${String(value)}`).join(',') || '<none>'
}

function setTemplateDefaults(object: ApiObject): void {
  const template = objectAt(spec(object), 'template')
  const podSpec = template['spec']
  if (isObject(podSpec)) setPodSpecDefaults(podSpec)
}

function setDeploymentDefaults(object: ApiObject): void {
  const own = spec(object)
  object['spec'] = own
  own['replicas'] ??= 1
  const strategy = objectAt(own, 'strategy')
  own['strategy'] = strategy
  strategy['type'] ??= 'RollingUpdate'
  if (strategy['type'] === 'RollingUpdate') {
    const rolling = objectAt(strategy, 'rollingUpdate')
    strategy['rollingUpdate'] = {
      maxUnavailable: rolling['maxUnavailable'] ?? '25%',
      maxSurge: rolling['maxSurge'] ?? '25%',
    }
  }
  own['revisionHistoryLimit'] ??= 10
  own['progressDeadlineSeconds'] ??= 600
  setTemplateDefaults(object)
}

function validateSelector(object: ApiObject): Cause[] {
  const own = spec(object)
  const template = objectAt(own, 'template')
  const labels = objectAt(template, 'metadata')['labels'] as { [key: string]: string } | undefined
  const hasSelector = isObject(own['selector'])
  const selector = !hasSelector ? undefined : selectorOf(objectAt(own, 'selector') as LabelSelector)
  const causes: Cause[] = []
  if (!hasSelector) causes.push(required('spec.selector'))
  if (!selector || selector.length === 0 || !matchesSelector(selector, labels)) {
    const detail = '`selector` does not match template `labels`'
    const message = `Invalid value: ${JSON.stringify(labels ?? null)}: ${detail}`
    causes.push({ reason: 'FieldValueInvalid', message, field: 'spec.template.metadata.labels' })
  }
  if (objectsAt(objectAt(template, 'spec'), 'containers').length === 0) {
    causes.push(required('spec.template.spec.containers'))
  }
  return causes
}

function workload(definition: Partial<KindDefinition> & { readonly kind: string; readonly plural: string }): ApiKind {
  return defineKind({
    group: 'apps',
    categories: ['all'],
    hasGeneration: true,
    type: `apps.${definition.kind}`,
    subresources: [scaleSubresource, statusSubresource],
    ...definition,
  })
}

/** Deployment (apps/v1). */
export const deployment: ApiKind = workload({
  kind: 'Deployment',
  plural: 'deployments',
  shortNames: ['deploy'],
  generationCounts: 'annotations',
  columns: [
    nameColumn,
    {
      name: 'Ready',
      type: 'string',
      cell: (object) => `${numberAt(status(object), 'readyReplicas') ?? 0}/${numberAt(spec(object), 'replicas') ?? 0}`,
    },
    count('Up-to-date', (object) => numberAt(status(object), 'updatedReplicas')),
    count('Available', (object) => numberAt(status(object), 'availableReplicas')),
    ageColumn,
    ...podColumns,
    selectorColumn,
  ],
  rules: { setDefaults: setDeploymentDefaults, validate: validateSelector },
})

/** ReplicaSet (apps/v1). */
export const replicaSet: ApiKind = workload({
  kind: 'ReplicaSet',
  plural: 'replicasets',
  shortNames: ['rs'],
  columns: [
    nameColumn,
    count('Desired', (object) => numberAt(spec(object), 'replicas')),
    count('Current', (object) => numberAt(status(object), 'replicas')),
    count('Ready', (object) => numberAt(status(object), 'readyReplicas')),
    ageColumn,
    ...podColumns,
    selectorColumn,
  ],
  rules: {
    setDefaults: (object) => {
      const own = spec(object)
      own['replicas'] ??= 1
      setTemplateDefaults(object)
    },
    validate: validateSelector,
  },
})

/** StatefulSet (apps/v1). */
export const statefulSet: ApiKind = workload({
  kind: 'StatefulSet',
  plural: 'statefulsets',
  shortNames: ['sts'],
  columns: [
    nameColumn,
    {
      name: 'Ready',
      type: 'string',
      cell: (object) => `${numberAt(status(object), 'readyReplicas') ?? 0}/${numberAt(spec(object), 'replicas') ?? 0}`,
    },
    ageColumn,
    ...podColumns,
  ],
  rules: {
    setDefaults: (object) => {
      const own = spec(object)
      own['replicas'] ??= 1
      own['podManagementPolicy'] ??= 'OrderedReady'
      own['revisionHistoryLimit'] ??= 10
      own['persistentVolumeClaimRetentionPolicy'] ??= { whenDeleted: 'Retain', whenScaled: 'Retain' }
      if (textAt(objectAt(own, 'updateStrategy'), 'type') === '') {
        own['updateStrategy'] = { type: 'RollingUpdate', rollingUpdate: { partition: 0, maxUnavailable: 1 } }
      }
      setTemplateDefaults(object)
    },
    validate: validateSelector,
  },
})

/** DaemonSet (apps/v1). */
export const daemonSet: ApiKind = workload({
  kind: 'DaemonSet',
  plural: 'daemonsets',
  shortNames: ['ds'],
  subresources: [statusSubresource],
  columns: [
    nameColumn,
    count('Desired', (object) => numberAt(status(object), 'desiredNumberScheduled')),
    count('Current', (object) => numberAt(status(object), 'currentNumberScheduled')),
    count('Ready', (object) => numberAt(status(object), 'numberReady')),
    count('Up-to-date', (object) => numberAt(status(object), 'updatedNumberScheduled')),
    count('Available', (object) => numberAt(status(object), 'numberAvailable')),
    { name: 'Node Selector', type: 'string', cell: printNodeSelector },
    ageColumn,
    ...podColumns,
    selectorColumn,
  ],
  rules: {
    setDefaults: (object) => {
      const own = spec(object)
      own['revisionHistoryLimit'] ??= 10
      if (textAt(objectAt(own, 'updateStrategy'), 'type') === '') {
        own['updateStrategy'] = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } }
      }
      setTemplateDefaults(object)
    },
    validate: validateSelector,
  },
})
