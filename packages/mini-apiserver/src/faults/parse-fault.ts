// Fault rules as text, `stall,verb=watch,resource=services,after=5s`, and as JSON.

import { parseGoDuration } from '@kubewire/kube-model'
import type { JsonObject } from '../json.ts'
import { type FaultKind, isFaultKind } from './fault-kinds.ts'
import type { FaultRule } from './faults.ts'

const texts = ['verb', 'resource', 'name', 'userAgent', 'body']
const numbers = ['skip', 'times', 'frames', 'status', 'retryAfter', 'chunk']
/** Key in the text → field of the rule, in milliseconds. */
const durations: { readonly [key: string]: string } = { after: 'afterMs', every: 'everyMs', down: 'downMs' }

/** Reads a rule from text; the error names the first word that is not understood. */
export function parseFault(text: string): { readonly rule: FaultRule } | { readonly error: string } {
  const [kind = '', ...pairs] = text.split(',').map((part) => part.trim())
  const fields: JsonObject = {}
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    if (at < 0) return { error: `expected key=value, got ${JSON.stringify(pair)}` }
    fields[pair.slice(0, at)] = pair.slice(at + 1)
  }
  return faultOf({ kind, ...fields })
}

/** Reads a rule from an object whose values are texts or numbers. */
export function faultOf(given: JsonObject): { readonly rule: FaultRule } | { readonly error: string } {
  const { kind, ...rest } = given
  if (typeof kind !== 'string' || !isFaultKind(kind)) return { error: `no fault called ${JSON.stringify(kind)}` }
  const rule: { kind: FaultKind; [key: string]: string | number } = { kind }
  for (const [key, value] of Object.entries(rest)) {
    const read = readField(key, String(value), kind)
    if (read === undefined) return { error: `${kind}: ${JSON.stringify(`${key}=${String(value)}`)} is not understood` }
    rule[read[0]] = read[1]
  }
  return { rule }
}

function readField(key: string, value: string, kind: FaultKind): readonly [string, string | number] | undefined {
  if (texts.includes(key)) return [key, value]
  const isNumber = numbers.includes(key) || (key === 'by' && kind === 'rollback') || key.endsWith('Ms')
  if (isNumber) return /^[0-9]+$/.test(value) ? [key, Number(value)] : undefined
  const field = durations[key] ?? (key === 'by' ? 'by' : undefined)
  const ms = field === undefined ? undefined : parseGoDuration(value)
  return field === undefined || ms === undefined ? undefined : [field, ms]
}
