// The only place that escapes. Spells arguments so that nginx reads back exactly their text, whatever it holds.
// Source: nginx 1.22 src/core/ngx_conf_file.c, ngx_conf_read_token (quotes, `\`, `{`, `;`, `#`).

import type { ArgumentPlace } from './argument-place.ts'
import { expandsVariables } from './directives.ts'
import { type Argument, type Block, block, directive, type TextArgument, word } from './node.ts'

// nginx has no escape for `$`; a variable that holds one is the usual answer.
const dollarVariable = 'literal_dollar'

/** Defines the variable that stands for a literal `$`; every `http` block that holds literals needs it once. */
export const literalDollar: Block = block('geo', [word(`$${dollarVariable}`)], [directive('default', word('$'))])

/** The text that nginx holds after reading the argument: unquoted, with literal `$` replaced by its variable. */
export function argumentText(argument: Argument, place: ArgumentPlace): string {
  if (argument.kind === 'list') {
    return argument.items.map((item) => partText(item, place)).join(argument.separator)
  }
  return partText(argument, place)
}

/** An argument as it stands in the file. */
export function quoteArgument(argument: Argument, place: ArgumentPlace): string {
  return quoteText(argumentText(argument, place))
}

/**
 * Quotes a text where it needs quotes. A NUL is left out: no nginx argument can hold one.
 * Line breaks and tabs are written as escapes so that one directive stays one line.
 */
export function quoteText(text: string): string {
  if (plainWord.test(text) || safeBare.test(text)) return text
  const escaped = text.replaceAll(/[\\"\n\r\t\0]/g, (c) => escapes[c] ?? '')
  return `"${escaped}"`
}

// What most arguments are; only here to be quick.
const plainWord = /^\$?[A-Za-z0-9_./=:~*-]+$/

// Bare words: no space, no quote, no `;{}\\`, no `#` at the start. `${name}` is read as one piece by nginx.
const safeBare = /^(?:[^\s"'\\;{}#$\p{C}]|\$\{\w+\}|\$(?!\{))(?:[^\s"'\\;{}$\p{C}]|\$\{\w+\}|\$(?!\{))*$/u

const escapes: { readonly [character: string]: string } = {
  '\\': '\\\\',
  '"': '\\"',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

function partText(part: TextArgument, place: ArgumentPlace): string {
  if (part.kind !== 'literal' || !part.text.includes('$') || !expandsVariables(place)) return part.text
  return part.text.replaceAll('$', `\${${dollarVariable}}`)
}
