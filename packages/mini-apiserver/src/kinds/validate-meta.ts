// Checks of `metadata` that all kinds share (apimachinery `validation/objectmeta.go`).

import { isLabelKey, isLabelValue } from '@kubewire/kube-model'
import type { ApiObject } from '../api-object.ts'
import type { Cause } from '../api-status.ts'
import { forbiddenField, invalidValue, required } from '../field-error.ts'
import { textAt } from '../json.ts'
import type { ApiKind } from './define-kind.ts'

const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const labelRule =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const keyRule =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const valueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

/** Why a text is no DNS subdomain (names of most kinds); `undefined` when it is one. */
export function subdomainProblem(text: string): string | undefined {
  if (text.length > 253) return 'must be no more than 253 bytes'
  return /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text) ? undefined : subdomainRule
}

/** Why a text is no qualified name (`[prefix/]name`: label keys, application protocols); `undefined` when it is one. */
export function qualifiedNameProblem(text: string): string | undefined {
  return isLabelKey(text) ? undefined : keyRule
}

/** Why a text is no DNS label (Namespaces, Services, ports); `undefined` when it is one. */
export function dnsLabelProblem(text: string): string | undefined {
  if (text.length > 63) return 'must be no more than 63 bytes'
  return /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text) ? undefined : labelRule
}

/** Why a text cannot be one segment of a path (names of Roles and the like). */
export function pathSegmentProblem(text: string): string | undefined {
  if (text === '.' || text === '..') return `may not be '${text}'`
  const bad = /[/%]/.exec(text)
  return bad ? `may not contain '${bad[0]}'` : undefined
}

/** Causes for a new object's metadata. */
export function validateMeta(object: ApiObject, kind: ApiKind): Cause[] {
  const { name = '', generateName = '', labels = {}, annotations = {}, finalizers = [] } = object.metadata
  const causes: Cause[] = []
  if (name === '') causes.push(required('metadata.name', 'name or generateName is required'))
  else {
    const problem = (kind.rules.validateName ?? subdomainProblem)(name)
    if (problem !== undefined) {
      if (generateName !== '') causes.push(invalidValue('metadata.generateName', generateName, problem))
      causes.push(invalidValue('metadata.name', name, problem))
    }
  }
  causes.push(...labelCauses(labels, 'metadata.labels'))
  for (const key of Object.keys(annotations)) {
    if (!isLabelKey(key.toLowerCase())) causes.push(invalidValue('metadata.annotations', key, keyRule))
  }
  const annotationBytes = Object.entries(annotations).reduce((sum, [key, value]) => sum + key.length + value.length, 0)
  if (annotationBytes > 256 * 1024) {
    causes.push({
      reason: 'FieldValueTooLong',
      field: 'metadata.annotations',
      message: 'Too long: may not be more than 262144 bytes',
    })
  }
  finalizers.forEach((finalizer, i) => {
    if (!isLabelKey(finalizer)) causes.push(invalidValue(`metadata.finalizers[${i}]`, finalizer, keyRule))
    else if (!finalizer.includes('/') && !standardFinalizers.has(finalizer)) {
      const detail = 'name is neither a standard finalizer name nor is it fully qualified'
      causes.push(invalidValue(`metadata.finalizers[${i}]`, finalizer, detail))
    }
  })
  return [...causes, ...ownerCauses(object)]
}

const standardFinalizers = new Set(['kubernetes', 'orphan', 'foregroundDeletion'])

/** Causes for a set of labels at a path. */
export function labelCauses(labels: { readonly [key: string]: string }, path: string): Cause[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...(isLabelKey(key) ? [] : [invalidValue(path, key, keyRule)]),
    ...(value.length > 63 ? [invalidValue(path, value, 'must be no more than 63 bytes')] : []),
    ...(isLabelValue(value) || value.length > 63 ? [] : [invalidValue(path, value, valueRule)]),
  ])
}

function ownerCauses({ metadata }: ApiObject): Cause[] {
  return (metadata.ownerReferences ?? []).flatMap((owner, i) => {
    const path = `metadata.ownerReferences[${i}]`
    return ['apiVersion', 'kind', 'name', 'uid']
      .filter((key) => textAt(owner, key) === '')
      .map((key) => required(`${path}.${key}`, 'must not be empty'))
  })
}

/** Causes for a change of metadata. */
export function validateMetaUpdate(object: ApiObject, old: ApiObject, kind: ApiKind): Cause[] {
  const causes: Cause[] = []
  const before = old.metadata.finalizers ?? []
  const added = (object.metadata.finalizers ?? []).filter((finalizer) => !before.includes(finalizer))
  if (old.metadata.deletionTimestamp !== undefined && added.length > 0) {
    const list = added.map((finalizer) => JSON.stringify(finalizer)).join(', ')
    const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`
    causes.push(forbiddenField('metadata.finalizers', detail))
  }
  return [...causes, ...validateMeta(object, kind)]
}
