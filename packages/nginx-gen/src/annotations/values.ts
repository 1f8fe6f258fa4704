// Value parsers of annotations and ConfigMap keys. Each checks exactly the text that is used afterwards, anchored at
// both ends (the original drops spaces before it checks and uses the value with them).
// Source: ingress-nginx 1.15 internal/ingress/annotations/parser/validators.go, the classes of characters.

import { parseCidr, parseIp } from '@kubewire/kube-model'
import { compiles } from './compiles.ts'

/** Reads one text. `parse` gets it trimmed and free of control characters, unless `multiline`. */
export interface ValueParser<T> {
  /** Completes "expected …" in a problem. */
  readonly expected: string
  readonly multiline?: boolean
  /** `undefined`: the text is none of these. */
  readonly parse: (text: string) => T | undefined
}

/** Characters that no value may hold: C0, DEL, C1 and the Unicode line ends. */
export const controlCharacters: RegExp = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

/** nginx refuses an argument longer than its 4 KiB buffer; what we let in stays well below. */
const maxValueLength = 3000

/** A text that a pattern admits as a whole. */
export function textOf(pattern: RegExp, expected: string): ValueParser<string> {
  return {
    expected,
    parse: (text) => (text.length <= maxValueLength && pattern.test(text) ? text : undefined),
  }
}

/** Go's `strconv.ParseBool`. */
export const flag: ValueParser<boolean> = {
  expected: 'true or false',
  parse: (text) => {
    if (/^(?:1|t|T|TRUE|true|True)$/.test(text)) return true
    return /^(?:0|f|F|FALSE|false|False)$/.test(text) ? false : undefined
  },
}

/** A whole number with an optional sign. */
export const integer: ValueParser<number> = {
  expected: 'a whole number',
  parse: (text) => {
    const value = /^[+-]?[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN
    return Math.abs(value) <= 0x7fffffff ? value : undefined
  },
}

/** A whole number of at least `min`, and at most `max`. */
export function integerFrom(min: number, max = 0x7fffffff): ValueParser<number> {
  return {
    expected: max === 0x7fffffff ? `a whole number of at least ${min}` : `a whole number from ${min} to ${max}`,
    parse: (text) => {
      const value = integer.parse(text)
      return value !== undefined && value >= min && value <= max ? value : undefined
    },
  }
}

/** A size as nginx reads it: digits and `k`, `m` or `g`; a `b` at the end is dropped. */
export const size: ValueParser<string> = {
  expected: 'a size such as 8k or 1m',
  parse: (text) => (/^[0-9]{1,9}[bkmg]?$/i.test(text) ? text.replace(/b$/i, '') : undefined),
}

/** COMPAT: a body size in `b` passes the check and is not written: nginx's own limit holds (template isValidByteSize). */
export const bodySize: ValueParser<string> = {
  expected: size.expected,
  parse: (text) => (size.parse(text) !== undefined && /b$/i.test(text) ? '1m' : size.parse(text)),
}

/** A size of something in memory: nginx knows no `g` there, so gibibytes are written as mebibytes. */
export const memorySize: ValueParser<string> = {
  expected: size.expected,
  parse: (text) => size.parse(text)?.replace(/^([0-9]+)g$/i, (_, digits: string) => `${Number(digits) * 1024}m`),
}

/** Bytes of a size in nginx's spelling. */
export function bytesOf(text: string): number {
  const factor = { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 }[text.slice(-1).toLowerCase()] ?? 1
  return Number.parseInt(text, 10) * factor
}

/** A time as nginx reads it: `240s`, `1h30m`, or seconds. */
export const nginxTime: ValueParser<string> = textOf(
  /^(?:[0-9]{1,9}(?:ms|s|m|h|d|w|M|y)?)(?:[0-9]{1,9}(?:ms|s|m|h|d|w|M|y))*$/,
  'a time such as 60s or 1h',
)

/** One of these words. `ignoreCase` returns the listed spelling. */
export function oneOf<const T extends string>(
  options: readonly T[],
  settings: { readonly ignoreCase?: boolean } = {},
): ValueParser<T> {
  const fold = (text: string): string => (settings.ignoreCase ? text.toLowerCase() : text)
  return {
    expected: `one of ${options.join(', ')}`,
    parse: (text) => options.find((option) => fold(option) === fold(text)),
  }
}

/** nginx's `on` and `off`. */
export const onOff: ValueParser<'on' | 'off'> = oneOf(['on', 'off'])

/** Items between commas, trimmed, empty ones dropped. */
export function listOf<T>(item: ValueParser<T>): ValueParser<readonly T[]> {
  return {
    expected: `a list of items between commas, each ${item.expected}`,
    parse: (text) => {
      const items = splitList(text).map((part) => item.parse(part))
      return items.every((part) => part !== undefined) ? (items as readonly T[]) : undefined
    },
  }
}

/** Items between commas, trimmed, empty ones dropped. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** An address or a prefix, in the spelling nginx takes. */
export const cidr: ValueParser<string> = {
  expected: 'an IP address or CIDR',
  parse: (text) => parseCidr(text)?.text ?? parseIp(text)?.text,
}

/** A list of addresses and prefixes. */
export const cidrList: ValueParser<readonly string[]> = listOf(cidr)

/** Letters, digits and `/-._~:`. */
export const basic: ValueParser<string> = textOf(/^[/\-._~a-zA-Z0-9:]*$/, 'letters, digits and / - . _ ~ :')

/** `basic` and spaces. */
export const basicWithSpace: ValueParser<string> = textOf(
  /^[/\-._~a-zA-Z0-9: ]*$/,
  'letters, digits, spaces and / - . _ ~ :',
)

/** A URL without variables. */
export const url: ValueParser<string> = textOf(/^[/\-._~a-zA-Z0-9:,?&=]*$/, 'a URL')

/** A URL in which nginx variables may stand. */
export const urlWithVariables: ValueParser<string> = textOf(
  /^[/\-._~a-zA-Z0-9:, ?&=$]*$/,
  'a URL, nginx variables allowed',
)

/** A path in which capture groups may stand. */
export const pathWithCaptures: ValueParser<string> = textOf(
  /^\/?[-._~a-zA-Z0-9:/$]*$/,
  'a path of letters, digits and - . _ ~ : / $',
)

/** A host name in which nginx variables may stand, `$name` or `${name}`. No text can be read in two ways: the check is linear. */
export const hostWithVariables: ValueParser<string> = textOf(
  /^(?:[-._~a-zA-Z0-9:]|\$(?=[a-z_])|\$\{[a-z_][a-z0-9_]*\})+$/,
  'a host name, nginx variables allowed',
)

/** Text with nginx variables and nothing else special. */
export const variables: ValueParser<string> = textOf(/^[A-Za-z0-9\-_${}]*$/, 'letters, digits, - _ and nginx variables')

/** The same with spaces: they are part of the text. */
export const variablesWithSpaces: ValueParser<string> = textOf(
  /^[A-Za-z0-9\-_${} ]*$/,
  'letters, digits, spaces, - _ and nginx variables',
)

/** Whether a text is a header name, of a length that nginx's tables take. */
export function isHeaderName(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,128}$/.test(text)
}

/** Header names between commas. */
export const headerList: ValueParser<readonly string[]> = listOf({
  expected: 'a header name',
  parse: (text) => (isHeaderName(text) ? text : undefined),
})

/** A regular expression of the original's safe characters. Not compiled here. */
export const regexText: ValueParser<string> = textOf(
  /^[/\-._~a-zA-Z0-9:^$[\](){}*+?|&=\\]*$/,
  'a regular expression of letters, digits and / - . _ ~ : ^ $ [ ] ( ) { } * + ? | & = \\',
)

/** A host name, or `~` and a regular expression that compiles. */
export const serverName: ValueParser<string> = {
  expected: 'a server name',
  parse: (text) => {
    const checked = regexText.parse(text)
    if (checked === undefined || checked === '') return undefined
    return checked.startsWith('~') && !compiles(checked.slice(1)) ? undefined : checked
  },
}

/** `name` or `namespace/name`. */
export const objectName: ValueParser<string> = textOf(
  /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?\/)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/,
  'a name or namespace/name',
)

/** Whether a text is `namespace/name`, the namespace not left out. */
export function isQualifiedName(text: string): boolean {
  return text.includes('/') && objectName.parse(text) !== undefined
}

/** Anything, over several lines; each line trimmed as the original does. */
export const snippet: ValueParser<string> = {
  expected: 'nginx configuration',
  multiline: true,
  parse: (text) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .join('\n'),
}
