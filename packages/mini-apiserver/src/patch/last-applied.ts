// The annotation that client-side `kubectl apply` compares with. Who goes over to server-side apply may come back: kubectl's
// own applies keep it up to date, where it is. Source: apimachinery 0.37 `managedfields/lastappliedupdater.go`.

import { isObject, type Json, type JsonObject } from '../json.ts'

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

/** The object with the annotation brought up to date, or as it is where there is none. */
export function withLastApplied(object: JsonObject, config: JsonObject): JsonObject {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {}
  const annotations = isObject(metadata['annotations']) ? metadata['annotations'] : {}
  if (annotations[lastApplied] === undefined) return object
  const text = `${JSON.stringify(inKeyOrder(withoutAnnotation(config)))}\n`
  return { ...object, metadata: { ...metadata, annotations: { ...annotations, [lastApplied]: text } } }
}

function withoutAnnotation(config: JsonObject): JsonObject {
  const { annotations, ...metadata } = isObject(config['metadata']) ? config['metadata'] : {}
  const { [lastApplied]: _, ...rest } = isObject(annotations) ? annotations : {}
  const kept = Object.keys(rest).length === 0 ? {} : { annotations: rest }
  return { ...config, metadata: { ...metadata, ...kept } }
}

function inKeyOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(inKeyOrder)
  if (!isObject(value)) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, inKeyOrder(each ?? null)]))
}
