// Small constructors for the tables of settings: a key that becomes one directive is one line.

import { parseIp } from '@kubewire/kube-model'
import { compiles } from '../annotations/compiles.ts'
import {
  controlCharacters,
  flag,
  integer,
  integerFrom,
  isHeaderName,
  listOf,
  size,
  splitList,
  textOf,
  type ValueParser,
} from '../annotations/values.ts'
import { directive, literal } from '../config/node.ts'
import type { OptionalModule } from '../snapshot/optional-modules.ts'
import type { Setting, SettingPlace } from './define.ts'

/** A setting that no directive of its own belongs to. */
export function plain<T>(value: ValueParser<T>, fallback: T, summary: string): Setting<T> {
  return { value, fallback, summary }
}

/** A setting that has no effect without a module. */
export function needs<T>(module: OptionalModule, value: ValueParser<T>, fallback: T, summary: string): Setting<T> {
  return { value, fallback, summary, module }
}

/** A number that becomes `name N` and a unit. */
export function numberAs(
  name: string,
  fallback: number,
  unit: '' | 's',
  summary: string,
  place: SettingPlace = 'http',
): Setting<number> {
  return { value: integerFrom(0), fallback, summary, place, render: (n) => [directive(name, `${n}${unit}`)] }
}

/** A flag that becomes `name on` or `name off`. */
export function flagAs(
  name: string,
  fallback: boolean,
  summary: string,
  place: SettingPlace = 'http',
): Setting<boolean> {
  return { value: flag, fallback, summary, place, render: (on) => [directive(name, on ? 'on' : 'off')] }
}

/** A text that becomes `name text`; empty is left out. */
export function textAs(
  name: string,
  value: ValueParser<string>,
  fallback: string,
  summary: string,
  place: SettingPlace = 'http',
): Setting<string> {
  return { value, fallback, summary, place, render: (text) => (text === '' ? [] : [directive(name, literal(text))]) }
}

/** Any text on one line; it is quoted wherever it goes. */
export const anyText: ValueParser<string> = textOf(/^.*$/s, 'text on one line')

/** Any text over several lines. */
export const anyLines: ValueParser<string> = { expected: 'nginx configuration', multiline: true, parse: (text) => text }

/** Words between spaces, for directives that take several. */
export const words: ValueParser<string> = textOf(
  /^[A-Za-z0-9_./+*-]+(?: +[A-Za-z0-9_./+*-]+)*$/,
  'words between spaces',
)

/** An expression that nginx compiles; none is none. */
export const expression: ValueParser<string> = {
  expected: 'an expression that compiles',
  parse: (text) => (text === '' || compiles(text) ? text : undefined),
}

/** A text, or `~` and an expression. */
export const textOrExpression: ValueParser<string> = {
  expected: 'a text, or ~ and an expression',
  parse: (text) => {
    const pattern = /^~\*?(.*)$/.exec(text)?.[1]
    const isGood = text.length <= 1000 && !controlCharacters.test(text) && (pattern === undefined || compiles(pattern))
    return isGood ? text : undefined
  },
}

/** Items between commas, each of a length that nginx reads. */
export const anyList: ValueParser<readonly string[]> = {
  expected: 'a list between commas',
  parse: (text) => splitList(text).filter((item) => item.length <= 1000),
}

/** A list of which the good items hold, whatever stands beside them. */
export function goodItems<T>(
  item: ValueParser<T>,
  fallback: readonly T[],
  summary: string,
): Setting<readonly T[]> & { invalid(text: string): readonly T[] } {
  return {
    value: { expected: listOf(item).expected, parse: (text) => unique(listOf(item).parse(text)) },
    fallback,
    summary,
    invalid: (text) => [
      ...new Set(
        splitList(text)
          .map((part) => item.parse(part))
          .filter((part) => part !== undefined),
      ),
    ],
  }
}

function unique<T>(items: readonly T[] | undefined): readonly T[] | undefined {
  return items === undefined ? undefined : [...new Set(items)]
}

/** A header name. */
export const headerName: ValueParser<string> = {
  expected: 'a header name',
  parse: (text) => (isHeaderName(text) ? text : undefined),
}

/** An IP address. */
export const ipAddress: ValueParser<string> = {
  expected: 'an IP address',
  parse: (text) => (parseIp(text) === undefined ? undefined : text),
}

/** Text of several lines in which `$` stands only before a name, as nginx reads formats of logs. */
export const logFormat: ValueParser<string> = {
  expected: 'a log format of nginx',
  multiline: true,
  parse: (text) => {
    const isGood = text.length <= 3000 && !text.includes('\0') && !/\$(?![A-Za-z_]|\{[A-Za-z_]\w*\})/.test(text)
    return isGood ? text : undefined
  },
}

/** A size, or nothing. */
export const optionalSize: ValueParser<string> = size

/** `namespace/name`. */
export const reference: ValueParser<string> = textOf(
  /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/,
  'namespace/name',
)

/** Status codes that a redirect may have. */
export const redirectCode: ValueParser<number> = {
  expected: 'one of 301, 302, 307, 308',
  parse: (text) => ([301, 302, 307, 308].includes(Number(text)) ? Number(text) : undefined),
}

/** A status code from `min` to `max`. */
export function statusCode(min: number, max: number): ValueParser<number> {
  return {
    expected: `a status code from ${min} to ${max}`,
    parse: (text) => {
      const code = integer.parse(text)
      return code !== undefined && code >= min && code <= max ? code : undefined
    },
  }
}
