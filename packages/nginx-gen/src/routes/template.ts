// A text with nginx variables and groups of a pattern, taken apart once so that the router only has to join it.
// Source: nginx ngx_http_script_compile (`$name`, `${name}`, `$1`).

/** A text, the value of a variable, or a group of the route's pattern. */
export type TemplatePart = string | { readonly variable: string } | { readonly group: number }

/** The parts of a text in which variables expand, in order. */
export function parseTemplate(text: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = []
  let at = 0
  for (const match of text.matchAll(/\$(?:([1-9])|\{(\w+)\}|([A-Za-z_]\w*))/g)) {
    if (match.index > at) parts.push(text.slice(at, match.index))
    at = match.index + match[0].length
    const [, digit, braced, bare] = match
    const name = braced ?? bare ?? ''
    if (digit !== undefined || /^[1-9]$/.test(name)) parts.push({ group: Number(digit ?? name) })
    else parts.push({ variable: name })
  }
  if (at < text.length) parts.push(text.slice(at))
  return parts
}

/** The joined text. */
export function fillTemplate(
  parts: readonly TemplatePart[],
  variable: (name: string) => string,
  group: (number: number) => string,
): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part
      return 'variable' in part ? variable(part.variable) : group(part.group)
    })
    .join('')
}
