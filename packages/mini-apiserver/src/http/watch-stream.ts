// Writes the frames of a watch to a connection, each changed object serialised once for all watchers; faults stand
// between the two.

import type { ServerResponse } from 'node:http'
import type { Clock } from '../clock.ts'
import { placeOfFault } from '../faults/fault-kinds.ts'
import type { FaultRule } from '../faults/faults.ts'
import { actAtOnce, actsAtOnce, type FaultOutput, watchFault } from '../faults/watch-faults.ts'
import type { ApiKind } from '../kinds/define-kind.ts'
import { frameObject, type WatchFrame } from '../verbs/watch.ts'
import type { Answer } from './answer.ts'
import type { AnswerForm } from './negotiate.ts'
import { serialise } from './serialise.ts'
import { type IncludeObject, metadataOf, tableOf } from './table.ts'

/** A client that reads slower than this many waiting bytes is cut off, as the original does with full buffers. */
const maxWaitingBytes: number = 32 * 1024 * 1024

/** How the frames are written. */
export interface WatchStreamOptions {
  readonly form: AnswerForm
  readonly include: IncludeObject
  readonly rules: readonly FaultRule[]
  readonly clock: Clock
}

/** Sends the headers at once and the frames as they come, until either side ends it. */
export function startWatchStream(
  response: ServerResponse,
  answer: Extract<Answer, { kind: 'watch' }>,
  { form, include, rules, clock }: WatchStreamOptions,
): void {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache, private' })
  response.flushHeaders()
  const output = responseOutput(response, frameEncoder(answer.of, form, include, clock.nowMs))
  const filtered = withFaults(output, rules, clock)
  const stop = answer.start({ send: filtered.frame, end: filtered.end })
  response.on('close', stop)
}

function withFaults(output: FaultOutput, rules: readonly FaultRule[], clock: Clock): FaultOutput {
  let front = output
  for (const rule of rules.filter(({ kind }) => placeOfFault(kind) === 'watch')) {
    const next = front
    const filter = watchFault(rule, next)
    const startMs = clock.nowMs() + (rule.afterMs ?? 0)
    front = { ...next, frame: (frame) => (clock.nowMs() < startMs ? next.frame(frame) : filter(frame)) }
    if (actsAtOnce(rule)) clock.after(rule.afterMs ?? 0, () => actAtOnce(rule, next))
  }
  return front
}

/** Turns frames into lines. Stateful: only the first table of a watch has columns. */
function frameEncoder(
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

function responseOutput(response: ServerResponse, encode: (frame: WatchFrame) => string): FaultOutput {
  let chunkBytes = 0
  const raw = (text: string): void => {
    if (response.writableEnded || response.destroyed) return
    if (chunkBytes === 0) response.write(text)
    else {
      const bytes = Buffer.from(text)
      for (let at = 0; at < bytes.length; at += chunkBytes) response.write(bytes.subarray(at, at + chunkBytes))
    }
    if (response.writableLength > maxWaitingBytes) response.destroy()
  }
  return {
    frame: (frame) => raw(encode(frame)),
    raw,
    encode,
    end: () => response.end(),
    reset: () => response.socket?.resetAndDestroy(),
    chunk: (bytes) => {
      chunkBytes = bytes
    },
  }
}

function frameLine(type: string, json: string): string {
  return `{"type":"${type}","object":${json}}\n`
}
