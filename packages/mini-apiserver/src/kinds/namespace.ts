// Namespace: lives in two steps, ends by its `finalize` subresource.

import type { ApiObject } from '../api-object.ts'
import { copyJson, objectAt, textAt } from '../json.ts'
import { type ApiKind, ageColumn, allVerbs, defineKind, nameColumn, statusSubresource } from './define-kind.ts'
import { dnsLabelProblem } from './validate-meta.ts'

const phase = (object: ApiObject) => textAt(objectAt(object, 'status'), 'phase')

function setNameLabel({ metadata }: ApiObject): void {
  metadata.labels = { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name ?? '' }
}

/** Namespace (v1). */
export const namespace: ApiKind = defineKind({
  kind: 'Namespace',
  plural: 'namespaces',
  shortNames: ['ns'],
  type: 'core.Namespace',
  isNamespaced: false,
  verbs: allVerbs.filter((verb) => verb !== 'deletecollection'),
  subresources: [{ name: 'finalize', verbs: ['update'] }, statusSubresource],
  selectable: { 'status.phase': phase },
  isNamespaceSelectable: false,
  columns: [nameColumn, { name: 'Status', type: 'string', cell: phase }, ageColumn],
  rules: {
    prepareCreate: (object) => {
      object['spec'] = { finalizers: ['kubernetes'] }
      object['status'] = { phase: 'Active' }
    },
    prepareUpdate: (object, old) => {
      object['spec'] = copyJson(objectAt(old, 'spec'))
    },
    setDefaults: setNameLabel,
    validateName: dnsLabelProblem,
  },
})
