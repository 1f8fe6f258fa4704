// Node: no namespace, keeps the status it is created with, begins with the not-ready taint.

import type { ApiObject } from '../api-object.ts'
import { objectAt, objectsAt, textAt, textsAt } from '../json.ts'
import { type ApiKind, ageColumn, type Column, defineKind, nameColumn, statusSubresource } from './define-kind.ts'

const notReady = 'node.kubernetes.io/not-ready'

function prepareCreate(node: ApiObject): void {
  const spec = objectAt(node, 'spec')
  node['spec'] = spec
  const taints = objectsAt(spec, 'taints')
  if (taints.some((taint) => taint['key'] === notReady)) return
  spec['taints'] = [...taints, { key: notReady, effect: 'NoSchedule' }]
}

// The list and its first element say the same.
function setNodeDefaults(node: ApiObject): void {
  const spec = objectAt(node, 'spec')
  const first = textAt(spec, 'podCIDR')
  if (first !== '' && textsAt(spec, 'podCIDRs').length === 0) spec['podCIDRs'] = [first]
}

function statusCell(node: ApiObject): string {
  const ready = objectsAt(objectAt(node, 'status'), 'conditions').find((each) => each['type'] === 'Ready')
  const word = ready === undefined ? 'Unknown' : ready['status'] === 'True' ? 'Ready' : 'NotReady'
  return objectAt(node, 'spec')['unschedulable'] === true ? `${word},SchedulingDisabled` : word
}

function rolesCell({ metadata }: ApiObject): string {
  const prefix = 'node-role.kubernetes.io/'
  const roles = Object.keys(metadata.labels ?? {}).flatMap((key) =>
    key.startsWith(prefix) ? [key.slice(prefix.length)] : [],
  )
  return roles.length === 0 ? '<none>' : roles.sort().join(',')
}

function addressCell(type: string): (node: ApiObject) => string {
  return (node) =>
    textAt(
      objectsAt(objectAt(node, 'status'), 'addresses').find((each) => each['type'] === type),
      'address',
    ) || '<none>'
}

const info = (key: string) => (node: ApiObject) => textAt(objectAt(objectAt(node, 'status'), 'nodeInfo'), key)
const wide = (name: string, cell: (node: ApiObject) => string): Column => ({
  name,
  type: 'string',
  priority: 1,
  cell: (node) => cell(node) || '<unknown>',
})

/** Node (v1). */
export const node: ApiKind = defineKind({
  kind: 'Node',
  plural: 'nodes',
  shortNames: ['no'],
  type: 'core.Node',
  isNamespaced: false,
  subresources: [statusSubresource],
  selectable: { 'spec.unschedulable': (each) => String(objectAt(each, 'spec')['unschedulable'] === true) },
  isNamespaceSelectable: false,
  columns: [
    nameColumn,
    { name: 'Status', type: 'string', cell: statusCell },
    { name: 'Roles', type: 'string', cell: rolesCell },
    ageColumn,
    { name: 'Version', type: 'string', cell: info('kubeletVersion') },
    wide('Internal-IP', addressCell('InternalIP')),
    wide('External-IP', addressCell('ExternalIP')),
    wide('OS-Image', info('osImage')),
    wide('Kernel-Version', info('kernelVersion')),
    wide('Container-Runtime', info('containerRuntimeVersion')),
  ],
  rules: { prepareCreate, setDefaults: setNodeDefaults },
})
