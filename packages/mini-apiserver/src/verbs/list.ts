// Lists: which version they show, pages, tokens (reference of the wire: lists, history and compaction).

import type { ApiObject } from '../api-object.ts'
import { ApiStatusError, expired } from '../api-status.ts'
import type { JsonObject } from '../json.ts'
import type { ApiKind } from '../kinds/define-kind.ts'
import { apiVersionOf } from '../kinds/kind-registry.ts'
import type { ListOptions } from '../request/list-options.ts'
import type { ServerState } from '../server-state.ts'
import { type PageToken, parsePageToken, printPageToken } from './page-token.ts'
import { isSelected, type Selection } from './selection.ts'

/** A page of a list. */
export interface ObjectList {
  readonly kind: ApiKind
  readonly metadata: JsonObject
  readonly items: readonly ApiObject[]
}

/** How long a list waits for a version from the future, milliseconds (apiserver watch cache). */
export const futureWaitMs = 3000

/**
 * Lists objects.
 *
 * @throws ApiStatusError 410 (version or token forgotten), 504 (version from the future), 400 (bad token)
 */
export async function listObjects(
  state: ServerState,
  kind: ApiKind,
  selection: Selection,
  options: ListOptions,
): Promise<ObjectList> {
  const token = options.continueToken === '' ? undefined : parsePageToken(options.continueToken)
  const asked = Number(options.resourceVersion || '0')
  if (asked > state.storage.version()) await waitForVersion(state, asked)
  return token ? nextPage(state, kind, selection, options, token) : firstPage(state, kind, selection, options, asked)
}

function firstPage(
  state: ServerState,
  kind: ApiKind,
  selection: Selection,
  options: ListOptions,
  asked: number,
): ObjectList {
  const { resourceVersion, resourceVersionMatch } = options
  const isFromCache = resourceVersion === '0'
  const isExact =
    resourceVersionMatch === 'Exact' ||
    (resourceVersionMatch === '' && options.limit > 0 && resourceVersion !== '' && !isFromCache)
  const version = isExact ? asked : state.storage.version()
  const objects = isExact
    ? state.storage.collection(kind.storage).listAt(version)
    : state.storage.collection(kind.storage).list()
  if (!objects) throw expired(`The resourceVersion for the provided list is too old.`)
  const limit = isFromCache ? 0 : effectiveLimit(state, options.limit)
  return page(kind, selection, objects, { version, start: '' }, limit)
}

function nextPage(
  state: ServerState,
  kind: ApiKind,
  selection: Selection,
  options: ListOptions,
  token: PageToken,
): ObjectList {
  const collection = state.storage.collection(kind.storage)
  const isInconsistent = token.version < 0
  const version = isInconsistent ? state.storage.version() : token.version
  const objects = isInconsistent ? collection.list() : collection.listAt(version)
  if (!objects) {
    const fresh = printPageToken({ version: -1, start: token.start })
    throw expired(
      'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
      fresh,
    )
  }
  return page(kind, selection, objects, { version, start: token.start }, effectiveLimit(state, options.limit))
}

function effectiveLimit({ pageCap }: ServerState, limit: number): number {
  return pageCap > 0 ? Math.min(limit || pageCap, pageCap) : limit
}

function page(
  kind: ApiKind,
  selection: Selection,
  objects: readonly ApiObject[],
  from: PageToken,
  limit: number,
): ObjectList {
  const found: ApiObject[] = []
  let remaining = 0
  let last = ''
  const { namespace } = selection
  const scope = namespace === '' ? objects : objects.filter(({ metadata }) => metadata.namespace === namespace)
  for (const [i, stored] of scope.entries()) {
    const key = pageKey(stored, selection)
    if (from.start !== '' && key < from.start) continue
    const object = kind.fromStorage(stored)
    if (!isSelected(selection, object, kind)) continue
    if (limit > 0 && found.length === limit) {
      // One more is enough to know that there is another page; without a selector the rest can be counted.
      remaining = selection.isNarrowed ? 1 : scope.length - i
      break
    }
    found.push(object)
    last = key
  }
  const metadata: JsonObject = { resourceVersion: String(from.version) }
  if (remaining > 0) {
    metadata['continue'] = printPageToken({ version: from.version, start: `${last}\0` })
    if (!selection.isNarrowed) metadata['remainingItemCount'] = remaining
  } else if (kind.isCustom) metadata['continue'] = ''
  return { kind, metadata, items: found }
}

// Keys in tokens are relative to the collection that is listed, so that a token serves any of them.
function pageKey({ metadata: { name = '', namespace } }: ApiObject, selection: Selection): string {
  return namespace && selection.namespace === '' ? `${namespace}/${name}` : name
}

/** Waits for the counter; throws 504 when it does not come that far. */
export async function waitForVersion(state: ServerState, version: number): Promise<void> {
  const startMs = state.clock.nowMs()
  while (state.storage.version() < version) {
    if (state.clock.nowMs() - startMs >= futureWaitMs) throw tooLargeVersion(version, state.storage.version())
    await new Promise<void>((resolve) => state.clock.after(100, resolve))
  }
}

/** 504: the version is from the future. */
export function tooLargeVersion(version: number, current: number): ApiStatusError {
  const message = `Timeout: Too large resource version: ${version}, current: ${current}`
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }]
  return new ApiStatusError(
    { code: 504, reason: 'Timeout', message, details: { causes, retryAfterSeconds: 1 } },
    { 'retry-after': '1' },
  )
}

/** The list as a document: items of built-in kinds do not repeat their kind. */
export function listDocument({ kind, metadata, items }: ObjectList): JsonObject {
  return {
    kind: kind.listKind,
    apiVersion: apiVersionOf(kind),
    metadata,
    items: items.map((item) => {
      if (kind.isCustom) return item
      const { kind: _kind, apiVersion: _version, ...rest } = item
      return rest
    }),
  }
}
