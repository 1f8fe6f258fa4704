// Query parameters of lists and watches, and which of them may stand together (apimachinery `ListOptions`).

import { badRequest, type Cause, internalError, invalid } from '../api-status.ts'
import { forbiddenField, notSupported } from '../field-error.ts'

/** What a list or watch asks for. */
export interface ListOptions {
  readonly labelSelector: string
  readonly fieldSelector: string
  /** 0 is no limit. */
  readonly limit: number
  readonly continueToken: string
  /** As sent: `''`, `'0'` or a version. */
  readonly resourceVersion: string
  readonly resourceVersionMatch: string
  readonly isWatch: boolean
  readonly allowsBookmarks: boolean
  readonly sendsInitialEvents: boolean | undefined
  readonly timeoutSeconds: number | undefined
}

/** Reads and checks the parameters; throws the 400 or 422 that the original answers. */
export function parseListOptions(query: URLSearchParams, isLegacyWatch: boolean): ListOptions {
  const initial = query.get('sendInitialEvents')
  const timeout = query.get('timeoutSeconds')
  const options: ListOptions = {
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    limit: Math.max(0, integer(query.get('limit'))),
    continueToken: query.get('continue') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    isWatch: isLegacyWatch || isTrue(query.get('watch')),
    allowsBookmarks: isTrue(query.get('allowWatchBookmarks')),
    sendsInitialEvents: initial === null || initial === '' ? undefined : isTrue(initial),
    timeoutSeconds: timeout === null ? undefined : integer(timeout),
  }
  const causes = options.isWatch ? watchCauses(options) : listCauses(options)
  if (causes.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', causes)
  checkVersion(options)
  return options
}

/** Whether a query value means yes; anything but `false` and `0` does (Go `runtime.Convert_Slice_string_To_bool`). */
export function isTrue(value: string | null): boolean {
  return value !== null && value !== 'false' && value !== '0'
}

function integer(value: string | null): number {
  if (value === null || value === '') return 0
  if (!/^[+-]?[0-9]+$/.test(value)) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: invalid syntax`)
  }
  return Number(value)
}

const match = 'resourceVersionMatch'

function listCauses({
  resourceVersion,
  resourceVersionMatch,
  continueToken,
  sendsInitialEvents,
}: ListOptions): Cause[] {
  const causes: Cause[] = []
  if (sendsInitialEvents !== undefined) {
    causes.push(forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list'))
  }
  if (resourceVersionMatch === '') return causes
  if (continueToken !== '') causes.push(forbiddenField(match, `${match} is forbidden when continue is provided`))
  if (resourceVersion === '') {
    causes.push(forbiddenField(match, `${match} is forbidden unless resourceVersion is provided`))
  }
  if (resourceVersionMatch !== 'Exact' && resourceVersionMatch !== 'NotOlderThan') {
    causes.push(notSupported(match, resourceVersionMatch, ['Exact', 'NotOlderThan', '']))
  }
  if (resourceVersionMatch === 'Exact' && resourceVersion === '0') {
    causes.push(forbiddenField(match, `${match} "Exact" is forbidden for resourceVersion "0"`))
  }
  return causes
}

function watchCauses({ resourceVersionMatch, continueToken, sendsInitialEvents }: ListOptions): Cause[] {
  const causes: Cause[] = []
  if (sendsInitialEvents !== undefined) {
    if (resourceVersionMatch === '') {
      causes.push(forbiddenField(match, `sendInitialEvents requires setting ${match} to NotOlderThan`))
    } else if (resourceVersionMatch !== 'NotOlderThan') {
      causes.push(notSupported(match, resourceVersionMatch, ['NotOlderThan']))
    }
  } else if (resourceVersionMatch !== '') {
    causes.push(forbiddenField(match, `${match} is forbidden for watch unless sendInitialEvents is provided`))
  }
  if (continueToken !== '') causes.push(forbiddenField('continue', 'continue is forbidden for watch'))
  return causes
}

function checkVersion({ resourceVersion, continueToken, isWatch }: ListOptions): void {
  if (continueToken !== '' && resourceVersion !== '' && resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue')
  }
  if (/^[0-9]*$/.test(resourceVersion)) return
  const problem = `resourceVersion: Invalid value: ${JSON.stringify(resourceVersion)}: strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: invalid syntax`
  // COMPAT: a watch answers 500 without a reason, a list 400.
  throw isWatch ? internalError(problem) : badRequest(`invalid resource version: ${problem}`)
}
