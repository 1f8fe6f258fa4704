// Which objects of a kind a request means: namespace, name, labels, fields.

import { matchesSelector, type Selector } from '@kubewire/kube-model'
import type { ApiObject } from '../api-object.ts'
import type { ApiKind } from '../kinds/define-kind.ts'
import { type FieldRequirement, matchesFields, parseFieldSelector } from '../request/field-selector.ts'
import { parseLabelSelector } from '../request/label-selector.ts'

/** A parsed selection. */
export interface Selection {
  readonly namespace: string
  /** Name in the path of a legacy watch; `''` for all. */
  readonly name: string
  readonly labels: Selector
  readonly fields: readonly FieldRequirement[]
  /** Whether a label or field selector narrows it (then lists do not count what remains). */
  readonly isNarrowed: boolean
}

/** Parses selectors; throws their 400. */
export function parseSelection(
  kind: ApiKind,
  where: { readonly namespace: string; readonly name: string },
  labelSelector: string,
  fieldSelector: string,
): Selection {
  const labels = parseLabelSelector(labelSelector)
  const fields = parseFieldSelector(fieldSelector, kind)
  return { ...where, labels, fields, isNarrowed: labels.length + fields.length > 0 }
}

/** Whether an object (in the kind's view) is meant. */
export function isSelected(selection: Selection, object: ApiObject, kind: ApiKind): boolean {
  const { metadata } = object
  if (selection.namespace !== '' && metadata.namespace !== selection.namespace) return false
  if (selection.name !== '' && metadata.name !== selection.name) return false
  return matchesSelector(selection.labels, metadata.labels) && matchesFields(selection.fields, object, kind)
}
