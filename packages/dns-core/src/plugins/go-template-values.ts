// Values of Go templates and how they print.

/** Values that templates work with. */
export type TemplateValue = string | number | boolean | bigint | undefined | readonly TemplateValue[] | TemplateObject

/**
 * Named values: a Go map, or with the field `isStructure` a Go structure, which has exactly its fields.
 */
export interface TemplateObject {
  readonly [name: string]: TemplateValue | ((...args: readonly TemplateValue[]) => TemplateValue)
}

/** How a value prints (Go fmt `%v`). */
export function printValue(value: TemplateValue): string {
  // COMPAT: a missing map entry prints like this (Go text/template).
  if (value === undefined) return '<no value>'
  if (Array.isArray(value)) return `[${value.map(printValue).join(' ')}]`
  if (typeof value === 'object') {
    const entries = Object.entries(value as TemplateObject).filter(([name]) => name !== 'isStructure')
    if ((value as TemplateObject)['isStructure'] === true)
      return `{${entries.map(([, item]) => printItem(item)).join(' ')}}`
    const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1))
    return `map[${sorted.map(([key, item]) => `${key}:${printItem(item)}`).join(' ')}]`
  }
  return String(value)
}

function printItem(item: TemplateObject[string]): string {
  return typeof item === 'function' ? '' : printValue(item)
}
