// `/__faults`: GET lists the waiting rules, POST adds one or a list (JSON or the text form), DELETE clears them.

import { badRequest, forbidden, methodNotAllowed } from '../api-status.ts'
import type { Answer } from '../http/answer.ts'
import type { ApiRequest } from '../http/request.ts'
import { isObject, type JsonObject } from '../json.ts'
import { decodeText } from '../request/decode-body.ts'
import type { FaultRules } from './faults.ts'
import { faultOf, parseFault } from './parse-fault.ts'

/** Whether a path is that of the faults. */
export function isFaultPath(path: string): boolean {
  return path === '/__faults'
}

/** Answers a request to the faults; for the administrator only. */
export async function handleFaultRequest(request: ApiRequest, faults: FaultRules): Promise<Answer> {
  if (!request.user.isAdmin)
    throw forbidden({ group: '', plural: 'faults', kind: '' }, '', 'only the administrator may')
  if (request.method === 'POST') {
    const parsed = parseBody(decodeText(await request.body()))
    const wrong = parsed.find((each) => 'error' in each)
    if (wrong && 'error' in wrong) throw badRequest(wrong.error)
    for (const each of parsed) if ('rule' in each) faults.add(each.rule)
  } else if (request.method === 'DELETE') faults.clear()
  else if (request.method !== 'GET') throw methodNotAllowed()
  const items = faults.list().map((rule) => ({ ...rule }))
  return { kind: 'document', status: 200, document: { kind: 'FaultList', items } as JsonObject }
}

function parseBody(text: string): ReturnType<typeof parseFault>[] {
  const trimmed = text.trim()
  if (!/^[{[]/.test(trimmed)) return trimmed.split('\n').map(parseFault)
  let value: unknown
  try {
    value = JSON.parse(trimmed)
  } catch (error) {
    return [{ error: (error as Error).message }]
  }
  const list = Array.isArray(value) ? value : [value]
  return list.map((each) => (isObject(each) ? faultOf(each) : { error: 'expected an object' }))
}
