// Writes the frames of a watch to a connection, each changed object serialised once for all watchers.

import type { ServerResponse } from 'node:http'
import type { JsonObject } from '../json.ts'
import type { ApiKind } from '../kinds/define-kind.ts'
import type { WatchFrame, WatchSink } from '../verbs/watch.ts'
import { frameObject } from '../verbs/watch.ts'
import type { AnswerForm } from './negotiate.ts'
import { type IncludeObject, metadataOf, tableOf } from './table.ts'

/** A client that reads slower than this many waiting bytes is cut off, as the original does with full buffers. */
export const maxWaitingBytes: number = 32 * 1024 * 1024

/** Turns frames into lines. Stateful: only the first table of a watch has columns. */
export function frameEncoder(
  kind: ApiKind,
  form: AnswerForm,
  include: IncludeObject,
  nowMs: () => number,
): (frame: WatchFrame) => string {
  let hasColumns = true
  return (frame) => {
    const object = frameObject(frame)
    if (!object || form.as === 'object') return frameLine(frame.type, serialise(frame.object))
    if (form.as === 'Table') {
      const metadata = { resourceVersion: object.metadata.resourceVersion ?? '' }
      const objects = frame.type === 'BOOKMARK' ? [] : [object]
      const table = tableOf(kind, objects, metadata, { version: form.version, include, hasColumns, nowMs: nowMs() })
      hasColumns = false
      return frameLine(frame.type, JSON.stringify(table))
    }
    return frameLine(frame.type, JSON.stringify(metadataOf(object, form.version)))
  }
}

/** A sink that writes lines to a response. */
export function responseSink(response: ServerResponse, encode: (frame: WatchFrame) => string): WatchSink {
  return {
    send: (frame) => {
      if (response.writableEnded || response.destroyed) return
      response.write(encode(frame))
      if (response.writableLength > maxWaitingBytes) response.destroy()
    },
    end: () => response.end(),
  }
}

const serialised = new WeakMap<JsonObject, string>()

function serialise(object: JsonObject): string {
  const known = serialised.get(object)
  if (known !== undefined) return known
  const text = JSON.stringify(object)
  if (Object.isFrozen(object)) serialised.set(object, text)
  return text
}

function frameLine(type: string, json: string): string {
  return `{"type":"${type}","object":${json}}\n`
}
