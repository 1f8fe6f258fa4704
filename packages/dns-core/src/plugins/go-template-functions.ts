// Functions of Go templates (text/template), and `parseInt`, which the template plugin adds.

import { printValue, type TemplateObject, type TemplateValue } from './go-template-values.ts'

/** A function of its arguments, the piped value last. */
export type TemplateFunction = (args: readonly TemplateValue[]) => TemplateValue

export const templateFunctions: { readonly [name: string]: TemplateFunction } = {
  index: ([value, ...keys]) => keys.reduce<TemplateValue>(indexOf, value),
  slice: ([value, from, to]) => {
    if (typeof value !== 'string' && !Array.isArray(value)) throw new Error(`can't slice item of type ${typeof value}`)
    const [start, end] = [Number(from ?? 0), Number(to ?? value.length)]
    if (start < 0 || end > value.length || start > end)
      throw new Error(`index out of range: ${start < 0 ? start : end}`)
    return value.slice(start, end)
  },
  len: ([value]) => {
    if (Array.isArray(value)) return value.length
    if (typeof value === 'object' && value !== null) return Object.keys(value).length
    return Buffer.byteLength(String(value))
  },
  not: ([value]) => !isTrue(value),
  and: (args) => args.find((arg) => !isTrue(arg)) ?? args[args.length - 1],
  or: (args) => args.find(isTrue) ?? args[args.length - 1],
  eq: ([first, ...others]) => {
    for (const other of others) checkComparable(first, other)
    return others.includes(first)
  },
  ne: ([a, b]) => {
    checkComparable(a, b)
    return a !== b
  },
  lt: ([a, b]) => ordered(a, b) < 0,
  le: ([a, b]) => ordered(a, b) <= 0,
  gt: ([a, b]) => ordered(a, b) > 0,
  ge: ([a, b]) => ordered(a, b) >= 0,
  // Go puts a blank between operands of which neither is a string.
  print: (args) =>
    args
      .map((arg, i) => {
        const isSpaced = i > 0 && typeof arg !== 'string' && typeof args[i - 1] !== 'string'
        return `${isSpaced ? ' ' : ''}${printValue(arg)}`
      })
      .join(''),
  println: (args) => `${args.map(printValue).join(' ')}\n`,
  printf: ([format, ...args]) => formatText(String(format), args),
  html: (args) =>
    args
      .map(printValue)
      .join('')
      .replaceAll(/["&'<>\0]/g, (c) => htmlEscapes[c] ?? c),
  js: (args) =>
    args
      .map(printValue)
      .join('')
      .replaceAll(/[\\'"<>&=]|[\0-\x1f]/g, escapeScript),
  urlquery: (args) =>
    encodeURIComponent(args.map(printValue).join(''))
      .replaceAll('%20', '+')
      .replaceAll(/[!'()*]/g, percentEscape),
  // Go strconv.ParseUint(text, base, bits), as CoreDNS offers it to templates.
  parseInt: ([text, base]) => {
    const digits = String(text)
    const radix = Number(base)
    const value = Number.parseInt(digits, radix)
    if (digits === '' || value.toString(radix) !== digits.toLowerCase().replace(/^0+(?=.)/, '')) {
      throw new Error(`strconv.ParseUint: parsing ${JSON.stringify(digits)}: invalid syntax`)
    }
    return value
  },
}

function isTrue(value: TemplateValue): boolean {
  if (Array.isArray(value)) return value.length > 0
  return value !== undefined && value !== '' && value !== 0 && value !== false
}

function indexOf(at: TemplateValue, key: TemplateValue): TemplateValue {
  if (Array.isArray(at)) {
    if (typeof key !== 'number' || key < 0 || key >= at.length)
      throw new Error(`index out of range: ${printValue(key)}`)
    return at[key]
  }
  if (typeof at === 'string') {
    if (typeof key !== 'number' || key < 0 || key >= at.length)
      throw new Error(`index out of range: ${printValue(key)}`)
    return at.charCodeAt(key)
  }
  if (typeof at !== 'object' || at === null) throw new Error(`can't index item of type ${typeof at}`)
  if (typeof key !== 'string')
    throw new Error(`value has type ${typeof key === 'number' ? 'int' : typeof key}; should be string`)
  // COMPAT: a missing entry of a map is the empty value of its type, an empty text in all maps there are.
  const found = (at as TemplateObject)[String(key)]
  return typeof found === 'function' ? found() : (found ?? '')
}

function checkComparable(a: TemplateValue, b: TemplateValue): void {
  if (typeof a !== typeof b) throw new Error('incompatible types for comparison')
}

function ordered(a: TemplateValue, b: TemplateValue): number {
  checkComparable(a, b)
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0
  if (typeof a === 'number' && typeof b === 'number') return a - b
  throw new Error('invalid type for comparison')
}

const htmlEscapes: { readonly [character: string]: string } = {
  '"': '&#34;',
  '&': '&amp;',
  "'": '&#39;',
  '<': '&lt;',
  '>': '&gt;',
  '\0': '\uFFFD',
}

function escapeScript(character: string): string {
  if (character === '\\' || character === "'" || character === '"') return `\\${character}`
  return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}

function percentEscape(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

/** Go's verbs for texts and whole numbers; others come out as Go prints mistakes. */
function formatText(format: string, args: readonly TemplateValue[]): string {
  let at = 0
  return format.replaceAll(
    /%([-+0 #]*)([0-9]*)(?:\.([0-9]+))?(.)/gs,
    (_, flags: string, width: string, precision, verb: string) => {
      if (verb === '%') return '%'
      if (at >= args.length) return `%!${verb}(MISSING)`
      const value = args[at++]
      const text = formatOne(verb, value, flags, precision === undefined ? undefined : Number(precision))
      if (flags.includes('-')) return text.padEnd(Number(width || 0))
      return text.padStart(Number(width || 0), flags.includes('0') ? '0' : ' ')
    },
  )
}

function formatOne(verb: string, value: TemplateValue, flags: string, precision: number | undefined): string {
  const isNumber = typeof value === 'number'
  switch (verb) {
    case 'd':
      return isNumber ? `${flags.includes('+') && value >= 0 ? '+' : ''}${value}` : wrongVerb(verb, value)
    case 'x':
      return isNumber ? value.toString(16) : Buffer.from(printValue(value), 'utf8').toString('hex')
    case 'X':
      return formatOne('x', value, flags, precision).toUpperCase()
    case 'o':
      return isNumber ? value.toString(8) : wrongVerb(verb, value)
    case 'b':
      return isNumber ? value.toString(2) : wrongVerb(verb, value)
    case 'c':
      return isNumber ? String.fromCodePoint(value) : wrongVerb(verb, value)
    case 't':
      return typeof value === 'boolean' ? String(value) : wrongVerb(verb, value)
    case 'q':
      return JSON.stringify(printValue(value))
    case 's':
      return typeof value === 'number' || typeof value === 'boolean'
        ? wrongVerb(verb, value)
        : printValue(value).slice(0, precision)
    case 'v':
      return printValue(value)
    default:
      return wrongVerb(verb, value)
  }
}

function wrongVerb(verb: string, value: TemplateValue): string {
  const type = typeof value === 'number' ? 'int' : typeof value === 'boolean' ? 'bool' : 'string'
  return `%!${verb}(${type}=${printValue(value)})`
}
