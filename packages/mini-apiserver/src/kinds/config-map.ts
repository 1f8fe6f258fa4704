// ConfigMap: size and immutability (kube-apiserver 1.37 `pkg/apis/core/validation`, ConfigMap).

import { deepEqual } from '@kubewire/kube-model'
import type { ApiObject } from '../api-object.ts'
import type { Cause } from '../api-status.ts'
import { forbiddenField, invalidValue, tooLong } from '../field-error.ts'
import { objectAt } from '../json.ts'
import { type ApiKind, ageColumn, defineKind, nameColumn } from './define-kind.ts'

/** Most bytes of data in a ConfigMap or Secret. */
export const maxDataBytes: number = 1024 * 1024

/** Causes for data keys that are no file names (`[-._a-zA-Z0-9]+`). */
export function dataKeyCauses(data: object, field: string): Cause[] {
  return Object.keys(data).flatMap((key) =>
    /^[-._a-zA-Z0-9]{1,253}$/.test(key) && key !== '.' && !key.startsWith('..')
      ? []
      : [
          invalidValue(
            `${field}[${key}]`,
            key,
            "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
          ),
        ],
  )
}

/** Causes for changes of an object that says it is immutable. */
export function immutableCauses(object: ApiObject, old: ApiObject, fields: readonly string[]): Cause[] {
  if (old['immutable'] !== true) return []
  const why = 'field is immutable when `immutable` is set'
  const causes: Cause[] = object['immutable'] === true ? [] : [forbiddenField('immutable', why)]
  for (const field of fields) if (!deepEqual(object[field], old[field])) causes.push(forbiddenField(field, why))
  return causes
}

function validateConfigMap(object: ApiObject, _context: unknown, old?: ApiObject): Cause[] {
  const data = objectAt(object, 'data')
  const binary = objectAt(object, 'binaryData')
  const causes = [...dataKeyCauses(data, 'data'), ...dataKeyCauses(binary, 'binaryData')]
  for (const key of Object.keys(binary)) {
    if (key in data) causes.push(invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'))
  }
  const texts = Object.values(data).reduce<number>((sum, value) => sum + Buffer.byteLength(String(value)), 0)
  const bytes = Object.values(binary).reduce<number>((sum, value) => sum + (String(value).length * 3) / 4, texts)
  if (bytes > maxDataBytes) causes.push(tooLong('', maxDataBytes))
  return old ? [...causes, ...immutableCauses(object, old, ['data', 'binaryData'])] : causes
}

const countData = (object: ApiObject) =>
  Object.keys(objectAt(object, 'data')).length + Object.keys(objectAt(object, 'binaryData')).length

/** ConfigMap (v1). */
export const configMap: ApiKind = defineKind({
  kind: 'ConfigMap',
  plural: 'configmaps',
  shortNames: ['cm'],
  type: 'core.ConfigMap',
  columns: [nameColumn, { name: 'Data', type: 'string', cell: countData }, ageColumn],
  rules: { validate: validateConfigMap },
})
