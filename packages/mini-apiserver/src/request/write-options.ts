// Query parameters (and, for deletions, the body) that steer a write.

import { badRequest, type Cause, invalid } from '../api-status.ts'
import { forbiddenField, notSupported, required } from '../field-error.ts'
import type { JsonObject } from '../json.ts'
import { isTrue } from './list-options.ts'

/** How a write is to be done. */
export interface WriteOptions {
  readonly isDryRun: boolean
  /** Name under which fields are owned: the parameter, else the first word of the user agent. */
  readonly manager: string
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict'
  readonly isForced: boolean
}

/** Reads the parameters; throws the 422 on a kind called `CreateOptions` and the like. */
export function parseWriteOptions(
  query: URLSearchParams,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions',
  userAgent: string,
  isApply: boolean = false,
): WriteOptions {
  const causes: Cause[] = []
  const dryRun = query.getAll('dryRun')
  if (dryRun.some((value) => value !== 'All')) {
    causes.push(notSupported('dryRun', dryRun.length === 1 ? dryRun[0] : [...dryRun], ['All']))
  }
  const fieldManager = query.get('fieldManager') ?? ''
  const force = query.get('force')
  if (isApply && fieldManager === '') causes.push(required('fieldManager', 'is required for apply patch'))
  if (kind === 'PatchOptions' && !isApply && force !== null) {
    causes.push(forbiddenField('force', 'may not be specified for non-apply patch'))
  }
  const validation = query.get('fieldValidation') ?? ''
  const words = ['', 'Ignore', 'Strict', 'Warn']
  if (kind !== 'DeleteOptions' && !words.includes(validation)) {
    causes.push(notSupported('fieldValidation', validation, words))
  }
  if (causes.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', causes)
  return {
    isDryRun: dryRun.length > 0,
    manager: fieldManager === '' ? managerOf(userAgent) : fieldManager,
    fieldValidation: validation === '' ? 'Warn' : (validation as 'Ignore' | 'Warn' | 'Strict'),
    isForced: isTrue(force),
  }
}

/** What a deletion asks for, from body and query. */
export interface DeleteOptions {
  readonly isDryRun: boolean
  readonly gracePeriodSeconds: number | undefined
  readonly uid: string | undefined
  readonly resourceVersion: string | undefined
  readonly propagationPolicy: string | undefined
}

/** Joins the body of a DELETE with its query; throws the 422 of the original. */
export function parseDeleteOptions(query: URLSearchParams, body: JsonObject): DeleteOptions {
  const preconditions = (body['preconditions'] ?? {}) as JsonObject
  const bodyDryRun = (body['dryRun'] ?? []) as readonly unknown[]
  const policy = body['propagationPolicy'] ?? query.get('propagationPolicy') ?? undefined
  const asked = query.get('gracePeriodSeconds')
  if (asked !== null && !/^-?[0-9]+$/.test(asked)) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(asked)}: invalid syntax`)
  }
  const grace = body['gracePeriodSeconds'] ?? asked ?? undefined
  const dryRun = [...query.getAll('dryRun'), ...bodyDryRun]
  const causes: Cause[] = []
  if (policy !== undefined && !['Background', 'Foreground', 'Orphan'].includes(String(policy))) {
    causes.push(notSupported('propagationPolicy', String(policy), ['Background', 'Foreground', 'Orphan']))
  }
  if (dryRun.some((value) => value !== 'All')) causes.push(notSupported('dryRun', String(dryRun[0]), ['All']))
  if (causes.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', causes)
  const textOf = (key: string) => (typeof preconditions[key] === 'string' ? preconditions[key] : undefined)
  return {
    isDryRun: dryRun.length > 0,
    gracePeriodSeconds: grace === undefined || grace === null ? undefined : Number(grace),
    uid: textOf('uid'),
    resourceVersion: textOf('resourceVersion'),
    propagationPolicy: typeof policy === 'string' ? policy : undefined,
  }
}

function managerOf(userAgent: string): string {
  return userAgent === '' ? 'unknown' : (userAgent.split('/', 1)[0] ?? 'unknown')
}
