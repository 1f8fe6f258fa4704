// The body of a watch → frames. What cannot be used is told and skipped; what cannot be read ends the stream.

import type { KubeObject } from '@kubewire/kube-model'
import { identityOf, projectObject, type Resource } from '../resource.ts'
import type { Scope, WatchFrame } from '../source.ts'
import { statusOf } from '../status.ts'
import { WatchError } from '../watch-error.ts'
import { createObjectParser } from './json-object.ts'
import { createLineSplitter } from './split-lines.ts'
import { badJson, transformError } from './unusable.ts'

const initialEventsEnd = 'k8s.io/initial-events-end'

/** Frames of a watch, parsed and projected as they arrive. Throws a `WatchError` when the stream breaks. */
export async function* readFrames<T extends KubeObject>(
  body: AsyncIterable<Buffer>,
  resource: Resource<T>,
  scope: Scope,
): AsyncGenerator<WatchFrame<T>> {
  const splitter = createLineSplitter()
  const parser = createObjectParser({ keepsManagedFields: scope.managedFields === true })
  const kind = scope.metadataOnly === true ? 'PartialObjectMetadata' : resource.kind
  try {
    for await (const chunk of body) {
      const frames: WatchFrame<T>[] = []
      splitter.push(chunk, (bytes, start, end) => {
        collectFrames(parser.parse(bytes, start, end, 2) as RawFrame, kind, resource, frames)
      })
      for (const frame of frames) yield frame
    }
  } catch (thrown) {
    throw badJson(thrown, 'watch')
  }
  // The change in the torn line comes again after resuming at the last version.
  if (splitter.restBytes > 0) {
    const message = 'expected whole frames, the stream ended in the middle of one'
    throw new WatchError({ code: 'INF_CONNECT', step: 'watch', message })
  }
}

interface RawFrame {
  readonly type?: unknown
  readonly object?: KubeObject & { readonly code?: number }
}

function collectFrames<T extends KubeObject>(
  raw: RawFrame | null,
  kind: string,
  resource: Resource<T>,
  frames: WatchFrame<T>[],
): void {
  const type = raw?.type
  const object = raw?.object ?? undefined
  const metadata = object?.metadata
  switch (type) {
    case 'ERROR':
      frames.push({ type, status: statusOf(object) })
      return
    case 'BOOKMARK': {
      const isInitialEventsEnd = metadata?.annotations?.[initialEventsEnd] === 'true'
      frames.push({ type, resourceVersion: metadata?.resourceVersion ?? '', isInitialEventsEnd })
      return
    }
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      break
    default:
      frames.push(badFrame(`expected a known frame type, got ${JSON.stringify(type)?.slice(0, 80)}`))
      return
  }
  if (object === undefined || !metadata?.name) frames.push(badFrame('expected an object with a name, got none'))
  else if (object.kind !== undefined && object.kind !== kind) {
    const message = `expected a ${kind}, got a ${String(object.kind).slice(0, 80)}`
    frames.push({ type: 'INVALID', error: new WatchError({ code: 'INF_WRONG_KIND', step: 'frame', message }) })
  } else collectProjected(type, object, resource, frames)
}

function collectProjected<T extends KubeObject>(
  type: 'ADDED' | 'MODIFIED' | 'DELETED',
  raw: KubeObject,
  resource: Resource<T>,
  frames: WatchFrame<T>[],
): void {
  let object: T | undefined
  try {
    object = projectObject(resource, raw)
  } catch (cause) {
    frames.push({ type: 'INVALID', error: transformError(raw, cause) })
  }
  if (object !== undefined) frames.push({ type, object })
  // Kept out by its transform: whatever is stored under this name goes.
  else if (type === 'DELETED') frames.push({ type, object: identityOf<T>(raw) })
  else frames.push({ type: 'DELETED', object: identityOf<T>(raw), isHidden: true })
}

function badFrame(message: string): { readonly type: 'INVALID'; readonly error: WatchError } {
  return { type: 'INVALID', error: new WatchError({ code: 'INF_BAD_FRAME', step: 'frame', message }) }
}
