// The JSON paths of printer columns and selectable fields: `.spec.ports[0].port`, `.status.conditions[?(@.type=="Ready")].status`.

import { isObject, type Json } from '../json.ts'

const step = /\.([\w-]+|\['[^']+'\])|\[(\d+|\*)\]|\['([^']+)'\]|\[\?\(@\.([\w.-]+)\s*==\s*["']([^"']*)["']\)\]/gy

/** The first value at a path; `undefined` when there is none or the path is not understood. */
export function readJsonPath(value: Json, path: string): Json | undefined {
  let found: Json | undefined = value
  const text = path.replaceAll('\\.', '\u0001')
  let end = 0
  for (const match of text.matchAll(step)) {
    end = match.index + match[0].length
    const [, name, index, quoted, filterKey, filterValue] = match
    const key = (name ?? quoted)?.replaceAll('\u0001', '.')
    if (key !== undefined) found = isObject(found) ? found[key] : undefined
    else if (!Array.isArray(found)) return undefined
    else if (filterKey !== undefined) {
      found = found.find((item) => isObject(item) && String(item[filterKey]) === filterValue)
    } else found = found[index === '*' ? 0 : Number(index)]
    if (found === undefined) return undefined
  }
  return end === text.length ? found : undefined
}
