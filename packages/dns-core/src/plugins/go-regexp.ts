// Regular expressions in Go's RE2 syntax as JavaScript expressions.

/**
 * The JavaScript form of a Go expression, or `undefined` when it does not compile. Groups `(?P<name>…)`, leading flags
 * `(?i)` `(?s)` `(?m)`, `\A`, `\z` and POSIX classes are translated; what RE2 lacks (look-around, back references) is
 * refused.
 */
export function compileGoRegexp(text: string): RegExp | undefined {
  if (/\(\?(?:[=!]|<[=!])/.test(text) || /\\[1-9]/.test(text)) return undefined
  let flags = ''
  let source = text.replace(/^\(\?([ims]+)\)/, (_, found: string) => {
    flags = found
    return ''
  })
  source = source
    .replaceAll('(?P<', '(?<')
    .replaceAll(/\\A/g, '^')
    .replaceAll(/\\z/g, '$')
    .replaceAll(
      /\[:(alpha|digit|alnum|lower|upper|space|word|xdigit|punct):\]/g,
      (_, name: string) => posix[name] ?? '',
    )
    .replaceAll(/\[\^?\](?=[^\]]*\])/g, (whole) => whole.replace(']', '\\]'))
  try {
    return new RegExp(source, [...new Set(flags)].join(''))
  } catch {
    return undefined
  }
}

const posix: { readonly [name: string]: string } = {
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: 'A-Za-z0-9',
  lower: 'a-z',
  upper: 'A-Z',
  space: '\\s',
  word: '\\w',
  xdigit: '0-9A-Fa-f',
  punct: '!-\\/:-@\\[-`{-~',
}
