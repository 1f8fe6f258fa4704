// Causes of a 422 in the words of apimachinery `field.Error`.

import type { Cause } from './api-status.ts'
import type { Json } from './json.ts'

/** A value that must be there is not. */
export function required(field: string, detail: string = ''): Cause {
  return { reason: 'FieldValueRequired', message: `Required value${detail === '' ? '' : `: ${detail}`}`, field }
}

/** A value that is wrong. */
export function invalidValue(field: string, value: Json | undefined, detail: string): Cause {
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${quoteValue(value)}: ${detail}`, field }
}

/** A word that is none of the allowed ones (printed sorted, as the original does). */
export function notSupported(field: string, value: Json | undefined, allowed: readonly string[]): Cause {
  const words = [...allowed].sort().map((word) => JSON.stringify(word))
  const list = words.length === 0 ? '' : `: supported values: ${words.join(', ')}`
  return { reason: 'FieldValueNotSupported', message: `Unsupported value: ${quoteValue(value)}${list}`, field }
}

/** A field that may not be set here. */
export function forbiddenField(field: string, detail: string): Cause {
  return { reason: 'FieldValueForbidden', message: `Forbidden: ${detail}`, field }
}

/** A second use of a value that must be unique. */
export function duplicate(field: string, value: Json | undefined): Cause {
  return { reason: 'FieldValueDuplicate', message: `Duplicate value: ${quoteValue(value)}`, field }
}

/** Too many bytes. */
export function tooLong(field: string, maxBytes: number): Cause {
  return { reason: 'FieldValueTooLong', message: `Too long: may not be more than ${maxBytes} bytes`, field }
}

function quoteValue(value: Json | undefined): string {
  return JSON.stringify(value ?? '')
}
