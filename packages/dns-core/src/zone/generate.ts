// `$GENERATE RANGE TEMPLATE` of a zone file → the lines it stands for (BIND's directive, as miekg/dns reads it).

/** Lines of records, or what is wrong with the directive. */
export type GeneratedLines = { readonly lines: readonly string[] } | { readonly error: string; readonly token: string }

/** More steps than this are refused. */
const maxSteps = 65_535

/** Fills a template for every number of `START-STOP[/STEP]`; `$` is the number, `${OFFSET,WIDTH,BASE}` a changed one. */
export function generateLines(range: string, template: string): GeneratedLines {
  const [span = '', stepText = '1'] = range.split('/')
  const fail = (error: string): GeneratedLines => ({ error: `bad ${error} in $GENERATE range`, token: range })
  if (!/^[0-9]+$/.test(stepText) || Number(stepText) === 0) return fail('step')
  const [start, stop, none] = span.split('-')
  if (stop === undefined || none !== undefined) return fail('start-stop')
  if (!/^[0-9]+$/.test(start ?? '')) return fail('start')
  if (!/^[0-9]+$/.test(stop)) return fail('stop')
  const [first, last, step] = [Number(start), Number(stop), Number(stepText)]
  if (last < first || (last - first) / step > maxSteps) return fail('range')
  const lines: string[] = []
  for (let at = first; at <= last; at += step) {
    const line = fillTemplate(template, at)
    if (typeof line !== 'string') return line
    lines.push(line)
  }
  return { lines }
}

function fillTemplate(template: string, value: number): string | { readonly error: string; readonly token: string } {
  let failure: { readonly error: string; readonly token: string } | undefined
  // COMPAT: a backslash in front of anything but `$` and itself takes that character with it (miekg/dns generate.go).
  const text = template.replaceAll(
    /\\([$\\])|\\.|\$\$|\$(?:\{([^}]*)\})?/gs,
    (whole, escaped: string | undefined, modifier: string | undefined) => {
      if (escaped !== undefined) return escaped
      if (whole.startsWith('\\')) return ''
      if (whole === '$$') return '$'
      if (modifier === undefined) return String(value)
      const filled = fillModifier(modifier, value)
      if (typeof filled === 'string') return filled
      failure = { error: `bad ${filled.error} in $GENERATE`, token: whole }
      return ''
    },
  )
  return failure ?? text
}

function fillModifier(modifier: string, value: number): string | { readonly error: string } {
  const [offset = '', width = '0', base = 'd', none] = modifier.split(',')
  if (none !== undefined) return { error: 'modifier' }
  if (!['d', 'o', 'x', 'X'].includes(base)) return { error: 'base' }
  if (!/^-?[0-9]{1,10}$/.test(offset)) return { error: 'offset' }
  if (!/^[0-9]{1,3}$/.test(width) || Number(width) > 255) return { error: 'width' }
  const number = value + Number(offset)
  if (number < 0 || number >= 2 ** 31) return { error: 'offset' }
  const digits = number.toString(base === 'd' ? 10 : base === 'o' ? 8 : 16)
  return (base === 'X' ? digits.toUpperCase() : digits).padStart(Number(width), '0')
}
