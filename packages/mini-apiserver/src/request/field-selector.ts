// Field selectors: a few fields per kind, compared with `=`, `==` and `!=` (apimachinery `fields.ParseSelector`).

import type { ApiObject } from '../api-object.ts'
import { badRequest } from '../api-status.ts'
import type { ApiKind } from '../kinds/define-kind.ts'

/** One comparison. */
export interface FieldRequirement {
  readonly field: string
  readonly isEqual: boolean
  readonly value: string
}

/** Parses the text and checks the fields against the kind; throws the 400 of the original. */
export function parseFieldSelector(text: string, kind: ApiKind): FieldRequirement[] {
  const requirements: FieldRequirement[] = []
  for (const part of splitUnescaped(text)) {
    if (part === '') continue
    const found = /^(.*?)(!=|==|=)(.*)$/s.exec(part)
    if (!found) throw badRequest(`invalid selector: '${text}'; can't understand '${part}'`)
    const [, field = '', sign, value = ''] = found
    checkField(field, kind)
    requirements.push({ field, isEqual: sign !== '!=', value: unescapeValue(value) })
  }
  return requirements
}

/** Whether an object fits every comparison. */
export function matchesFields(requirements: readonly FieldRequirement[], object: ApiObject, kind: ApiKind): boolean {
  return requirements.every(({ field, isEqual, value }) => (readField(field, object, kind) === value) === isEqual)
}

function readField(field: string, object: ApiObject, kind: ApiKind): string {
  if (field === 'metadata.name') return object.metadata.name ?? ''
  if (field === 'metadata.namespace') return object.metadata.namespace ?? ''
  return kind.selectable[field]?.(object) ?? ''
}

function checkField(field: string, kind: ApiKind): void {
  if (field === 'metadata.name' || (field === 'metadata.namespace' && kind.isNamespaceSelectable)) return
  if (Object.hasOwn(kind.selectable, field)) return
  throw badRequest(
    kind.selectorStyle === 'own'
      ? `field label not supported: ${field}`
      : `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`,
  )
}

function splitUnescaped(text: string): string[] {
  return text.match(/(?:\\.|[^,\\])+/gs) ?? []
}

function unescapeValue(value: string): string {
  return value.replaceAll(/\\([\\,=])/g, '$1')
}
