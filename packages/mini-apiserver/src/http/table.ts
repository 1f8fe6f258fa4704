// Objects as a `Table`, as `kubectl get` asks for them.

import type { ApiObject } from '../api-object.ts'
import type { JsonObject } from '../json.ts'
import type { ApiKind } from '../kinds/define-kind.ts'

/** What stands in each row beside the cells. */
export type IncludeObject = 'Metadata' | 'Object' | 'None'

/** Makes a table of objects. `columns` are left out (`null`) in all but the first frame of a watch. */
export function tableOf(
  kind: ApiKind,
  objects: readonly ApiObject[],
  metadata: JsonObject,
  options: {
    readonly version: string
    readonly include: IncludeObject
    readonly hasColumns: boolean
    readonly nowMs: number
  },
): JsonObject {
  const { version, include, hasColumns, nowMs } = options
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${version}`,
    metadata,
    columnDefinitions: hasColumns
      ? kind.columns.map(({ name, type, format = '', priority = 0 }) => ({
          name,
          type,
          format,
          description: '',
          priority,
        }))
      : null,
    rows: objects.map((object) => ({
      cells: kind.columns.map((column) => column.cell(object, nowMs)),
      object: include === 'None' ? null : include === 'Object' ? object : metadataOf(object, version),
    })),
  }
}

/** The metadata-only form of an object. */
export function metadataOf(object: ApiObject, version: string): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata }
}
