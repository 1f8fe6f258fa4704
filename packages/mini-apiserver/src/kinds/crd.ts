// CustomResourceDefinition: completed and established at once; what it defines is served by `custom/`.

import { type ApiObject, printTime } from '../api-object.ts'
import { copyJson, type JsonObject, objectAt, objectsAt, textAt, textsAt } from '../json.ts'
import { type ApiKind, type Column, defineKind, nameColumn } from './define-kind.ts'
import type { WriteContext } from './write-context.ts'

function setDefaults(crd: ApiObject): void {
  const spec = objectAt(crd, 'spec')
  const names = objectAt(spec, 'names')
  spec['names'] = names
  const kind = textAt(names, 'kind')
  if (textAt(names, 'singular') === '') names['singular'] = kind.toLowerCase()
  if (textAt(names, 'listKind') === '') names['listKind'] = `${kind}List`
  spec['conversion'] ??= { strategy: 'None' }
}

function establish(crd: ApiObject, context: WriteContext): void {
  setDefaults(crd)
  const spec = objectAt(crd, 'spec')
  const stamp = printTime(context.nowMs)
  const condition = (type: string, reason: string, message: string): JsonObject => ({
    type,
    status: 'True',
    lastTransitionTime: stamp,
    reason,
    message,
  })
  const stored = objectsAt(spec, 'versions').find((version) => version['storage'] === true)
  crd['status'] = {
    conditions: [
      condition('NamesAccepted', 'NoConflicts', 'no conflicts found'),
      condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
    ],
    acceptedNames: copyJson(objectAt(spec, 'names')),
    storedVersions: stored ? [textAt(stored, 'name')] : [],
  }
}

function keepStatus(crd: ApiObject, _old: ApiObject, context: WriteContext): void {
  const status = objectAt(crd, 'status')
  if (textsAt(status, 'storedVersions').length === 0) establish(crd, context)
  else status['acceptedNames'] = copyJson(objectAt(objectAt(crd, 'spec'), 'names'))
}

const createdColumn: Column = {
  name: 'Created At',
  type: 'date',
  cell: (object) => object.metadata.creationTimestamp ?? '',
}

/** CustomResourceDefinition (apiextensions.k8s.io/v1). */
export const customResourceDefinition: ApiKind = defineKind({
  group: 'apiextensions.k8s.io',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  isNamespaced: false,
  type: 'apiext.CustomResourceDefinition',
  hasStatus: true,
  hasGeneration: true,
  columns: [nameColumn, createdColumn],
  rules: { prepareCreate: establish, prepareUpdate: keepStatus, setDefaults },
})
