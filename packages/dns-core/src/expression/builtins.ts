// Functions of the expression language itself, the ones that fit texts, numbers and lists (expr-lang builtins).

/** What expressions work with. */
export type ExpressionValue =
  | string
  | number
  | boolean
  | null
  | readonly ExpressionValue[]
  | { readonly [key: string]: ExpressionValue }

/** Whether a value is a map. */
export function isMap(value: ExpressionValue): value is { readonly [key: string]: ExpressionValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Functions of values. They throw where a value is of the wrong type. */
export const builtins: { readonly [name: string]: (...args: readonly ExpressionValue[]) => ExpressionValue } = {
  len: (value = null) =>
    typeof value === 'string' ? [...value].length : isMap(value) ? Object.keys(value).length : list(value).length,
  lower: (value) => text(value).toLowerCase(),
  upper: (value) => text(value).toUpperCase(),
  trim: (value, characters) => trimmed(text(value), characters, true, true),
  trimPrefix: (value, prefix = ' ') =>
    text(value).startsWith(text(prefix)) ? text(value).slice(text(prefix).length) : text(value),
  trimSuffix: (value, suffix = ' ') =>
    text(suffix) !== '' && text(value).endsWith(text(suffix))
      ? text(value).slice(0, -text(suffix).length)
      : text(value),
  split: (value, separator, limit = -1) => splitText(text(value), text(separator), number(limit)),
  splitAfter: (value, separator) =>
    text(value)
      .split(text(separator))
      .map((part, i, all) => (i + 1 < all.length ? part + text(separator) : part)),
  replace: (value, from, to) => text(value).replaceAll(text(from), () => text(to)),
  repeat: (value, count) => text(value).repeat(number(count)),
  join: (values = null, separator = '') => list(values).map(text).join(text(separator)),
  indexOf: (value, part) => text(value).indexOf(text(part)),
  lastIndexOf: (value, part) => text(value).lastIndexOf(text(part)),
  hasPrefix: (value, prefix) => text(value).startsWith(text(prefix)),
  hasSuffix: (value, suffix) => text(value).endsWith(text(suffix)),
  int: (value) => wholeNumber(value),
  float: (value) => (typeof value === 'number' ? value : floatOf(text(value))),
  string: (value = null) =>
    typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value),
  abs: (value) => Math.abs(number(value)),
  ceil: (value) => Math.ceil(number(value)),
  floor: (value) => Math.floor(number(value)),
  round: (value) => Math.round(number(value)),
  max: (...values) => Math.max(...values.flat().map((value) => number(value as ExpressionValue))),
  min: (...values) => Math.min(...values.flat().map((value) => number(value as ExpressionValue))),
  sum: (values = null) => list(values).reduce<number>((sum, value) => sum + number(value), 0),
  first: (values = null) => list(values)[0] ?? null,
  last: (values = null) => list(values).at(-1) ?? null,
  reverse: (values = null) => [...list(values)].reverse(),
  keys: (value = null) => (isMap(value) ? Object.keys(value) : wrong('map')),
  values: (value = null) => (isMap(value) ? Object.values(value) : wrong('map')),
  bitand: (a, b) => number(a) & number(b),
  bitor: (a, b) => number(a) | number(b),
  bitxor: (a, b) => number(a) ^ number(b),
  bitshl: (a, b) => number(a) << number(b),
  bitshr: (a, b) => number(a) >> number(b),
}

type Closure = (items: readonly ExpressionValue[], body: (item: ExpressionValue) => ExpressionValue) => ExpressionValue

/** Functions that look at each element of a list. */
export const closures: ReadonlyMap<string, Closure> = new Map<string, Closure>([
  ['all', (items, body) => items.every((item) => body(item) === true)],
  ['any', (items, body) => items.some((item) => body(item) === true)],
  ['none', (items, body) => !items.some((item) => body(item) === true)],
  ['one', (items, body) => items.filter((item) => body(item) === true).length === 1],
  ['filter', (items, body) => items.filter((item) => body(item) === true)],
  ['map', (items, body) => items.map(body)],
  ['count', (items, body) => items.filter((item) => body(item) === true).length],
  ['find', (items, body) => items.find((item) => body(item) === true) ?? null],
  ['findIndex', (items, body) => items.findIndex((item) => body(item) === true)],
])

function wrong(type: string): never {
  throw new Error(`invalid argument (type is not ${type})`)
}

function text(value: ExpressionValue | undefined): string {
  return typeof value === 'string' ? value : wrong('string')
}

function number(value: ExpressionValue | undefined): number {
  return typeof value === 'number' ? value : wrong('number')
}

function list(value: ExpressionValue): readonly ExpressionValue[] {
  return Array.isArray(value) ? value : wrong('array')
}

function wholeNumber(value: ExpressionValue | undefined): number {
  if (typeof value === 'number') return Math.trunc(value)
  const digits = text(value)
  if (!/^[+-]?[0-9]+$/.test(digits)) throw new Error(`invalid operation: int(${digits})`)
  return Number(digits)
}

function floatOf(digits: string): number {
  const value = Number(digits)
  if (digits === '' || Number.isNaN(value)) throw new Error(`invalid operation: float(${digits})`)
  return value
}

function splitText(value: string, separator: string, limit: number): string[] {
  const parts = value.split(separator)
  return limit < 1 || parts.length <= limit
    ? parts
    : [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)]
}

function trimmed(value: string, characters: ExpressionValue | undefined, atStart: boolean, atEnd: boolean): string {
  if (characters === undefined) return value.trim()
  const set = text(characters)
  let [from, to] = [0, value.length]
  while (atStart && from < to && set.includes(value[from] ?? '')) from++
  while (atEnd && to > from && set.includes(value[to - 1] ?? '')) to--
  return value.slice(from, to)
}
