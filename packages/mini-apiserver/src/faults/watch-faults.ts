// Faults of watch streams: each stands between the server's frames and the connection and passes, changes, repeats or
// withholds them.

import { expired } from '../api-status.ts'
import type { JsonObject } from '../json.ts'
import { tooLargeVersion } from '../verbs/list.ts'
import type { WatchFrame } from '../verbs/watch.ts'
import type { FaultRule } from './faults.ts'

/** The connection as a fault sees it. */
export interface FaultOutput {
  frame(frame: WatchFrame): void
  /** Text as it stands. */
  raw(text: string): void
  /** One frame as the bytes that would be sent. */
  encode(frame: WatchFrame): string
  end(): void
  /** TCP reset. */
  reset(): void
  /** Writes this many bytes at a time from now on. */
  chunk(bytes: number): void
}

/** Takes a frame and does with it what the fault says. */
export type FrameFilter = (frame: WatchFrame) => void

/** A filter in front of the output; passes everything until its frames (`frames`) are through. */
export function watchFault(rule: FaultRule, next: FaultOutput): FrameFilter {
  const { kind, frames = 0 } = rule
  let passed = 0
  let isOver = false
  const act = actionOf(rule, next)
  return (frame) => {
    if (isOver) return
    if (passed < frames) {
      passed++
      next.frame(frame)
      // What ends a stream does not wait for another frame.
      if (passed < frames || !endings.includes(kind)) return
    }
    act(frame)
    isOver = endings.includes(kind)
  }
}

const endings: readonly string[] = ['dropWatch', 'reset', 'gone', 'futureVersion']

/** Whether the fault acts at the start of a watch, without waiting for a frame. */
export function actsAtOnce({ kind, frames = 0 }: FaultRule): boolean {
  return frames === 0 && (endings.includes(kind) || kind === 'splitFrames')
}

/** What such a fault does then. */
export function actAtOnce(rule: FaultRule, next: FaultOutput): void {
  if (rule.kind === 'splitFrames') next.chunk(rule.chunk ?? 1)
  else actionOf(rule, next)({ type: 'BOOKMARK', object: {} })
}

function actionOf(rule: FaultRule, next: FaultOutput): FrameFilter {
  switch (rule.kind) {
    case 'dropWatch':
      return () => next.end()
    case 'reset':
      return () => next.reset()
    case 'stall':
      return () => {}
    case 'halfFrame':
      return (frame) => {
        const text = next.encode(frame)
        next.raw(text.slice(0, Math.floor(text.length / 2)))
        next.reset()
      }
    case 'gone':
      return () => endWith(next, expired('too old resource version: 1 (1000)').status)
    case 'futureVersion':
      return () => endWith(next, tooLargeVersion(999_999_999, 1000).status)
    case 'bookmarkOnly':
      return (frame) => {
        if (frame.type === 'BOOKMARK') next.frame(frame)
      }
    case 'noEndBookmark':
      return (frame) => {
        if (!endsInitialEvents(frame)) next.frame(frame)
      }
    case 'splitFrames':
      return (frame) => {
        next.chunk(rule.chunk ?? 1)
        next.frame(frame)
      }
    default:
      return onceAction(rule, next)
  }
}

function endWith(next: FaultOutput, status: JsonObject): void {
  next.frame({ type: 'ERROR', object: status })
  next.end()
}

// Faults that happen to one event (the first that fits) and then let everything pass.
function onceAction(rule: FaultRule, next: FaultOutput): FrameFilter {
  let isDone = false
  let held: WatchFrame | undefined
  let last: WatchFrame | undefined
  return (frame) => {
    if (isDone || (frame.type === 'BOOKMARK' && rule.kind !== 'earlyEndBookmark')) {
      next.frame(frame)
      return
    }
    const outcome = disturb(rule, frame, { held, last }, next)
    held = outcome === 'hold' ? frame : undefined
    last = frame
    isDone = outcome === 'done'
  }
}

interface Memory {
  readonly held: WatchFrame | undefined
  readonly last: WatchFrame | undefined
}

function disturb(
  rule: FaultRule,
  frame: WatchFrame,
  { held, last }: Memory,
  next: FaultOutput,
): 'done' | 'hold' | 'wait' {
  switch (rule.kind) {
    case 'missEvent':
      return 'done'
    case 'duplicateEvent':
      next.frame(frame)
      next.frame(frame)
      return 'done'
    case 'joinFrames':
      if (!held) return 'hold'
      next.raw(next.encode(held) + next.encode(frame))
      return 'done'
    case 'reorder':
      if (!held) return 'hold'
      for (const each of nameOf(held) === nameOf(frame) ? [held, frame] : [frame, held]) next.frame(each)
      return 'done'
    case 'staleEvent':
      next.frame(frame)
      if (!last || nameOf(last) !== nameOf(frame)) return 'wait'
      next.frame({ ...last, type: 'MODIFIED' })
      return 'done'
    case 'earlyEndBookmark':
      next.frame(frame.type === 'BOOKMARK' ? frame : earlyEnd(frame))
      if (frame.type !== 'BOOKMARK') next.frame(frame)
      return 'done'
    default:
      next.raw(oddText(rule, frame, next))
      next.frame(frame)
      return 'done'
  }
}

function oddText({ kind }: FaultRule, { object }: WatchFrame, next: FaultOutput): string {
  const line = (frame: JsonObject) => `${JSON.stringify(frame)}\n`
  switch (kind) {
    case 'unknownType':
      return line({ type: 'SURPRISE', object })
    case 'wrongKind':
      return line({
        type: 'MODIFIED',
        object: { kind: 'Widget', apiVersion: 'example.org/v1', metadata: { name: 'odd', resourceVersion: '1' } },
      })
    case 'nullObject':
      return line({ type: 'MODIFIED', object: null })
    case 'noVersion': {
      const { resourceVersion: _version, ...metadata } = (object['metadata'] ?? {}) as JsonObject
      return line({ type: 'MODIFIED', object: { ...object, metadata } })
    }
    case 'tableFrame':
      return line({
        type: 'MODIFIED',
        object: { kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: {}, columnDefinitions: [], rows: [] },
      })
    case 'emptyLine':
      return '\n'
    case 'badJson':
      return '{"type":"MODIFIED","object":{\n'
    case 'hugeLine':
      return line({ type: 'BOOKMARK', object: { ...object, filler: 'x'.repeat(20_000_000) } })
    default:
      return next.encode({ type: 'BOOKMARK', object })
  }
}

function earlyEnd({ object }: WatchFrame): WatchFrame {
  const { resourceVersion } = object['metadata'] as JsonObject
  const metadata = { resourceVersion, annotations: { 'k8s.io/initial-events-end': 'true' } }
  return { type: 'BOOKMARK', object: { kind: object['kind'], apiVersion: object['apiVersion'], metadata } }
}

function endsInitialEvents({ type, object }: WatchFrame): boolean {
  const { annotations } = (object['metadata'] ?? {}) as { annotations?: JsonObject }
  return type === 'BOOKMARK' && annotations?.['k8s.io/initial-events-end'] === 'true'
}

function nameOf({ object }: WatchFrame): string {
  const { namespace = '', name = '' } = (object['metadata'] ?? {}) as { namespace?: string; name?: string }
  return `${namespace}/${name}`
}
