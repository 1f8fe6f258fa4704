// An object as YAML for reading: block style, two spaces, long texts as blocks. Only what JSON can hold.

type Plain = null | boolean | number | string | readonly Plain[] | { readonly [key: string]: Plain | undefined }

/** Prints a JSON value; ends with a newline. */
export function printYaml(value: unknown): string {
  return `${block(value as Plain, 0).replace(/^\n/, '')}\n`
}

/** The value as it stands after `key:` or `-`: with its own leading space or newline. */
function block(value: Plain, indent: number): string {
  if (typeof value === 'string') return text(value, indent)
  if (value === null || typeof value !== 'object') return ` ${String(value)}`
  const pad = '  '.repeat(indent)
  if (Array.isArray(value)) {
    if (value.length === 0) return ' []'
    return (value as readonly Plain[]).map((item) => `\n${pad}-${entry(block(item, indent + 1), indent + 1)}`).join('')
  }
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  if (fields.length === 0) return ' {}'
  return fields
    .map(([key, field]) => {
      // Lists stand as deep as their key, as kubectl prints them.
      const deeper = Array.isArray(field) ? indent : indent + 1
      return `\n${pad}${word(key)}:${block(field as Plain, deeper)}`
    })
    .join('')
}

// The first field of an object in a list stands on the line of its dash.
function entry(printed: string, indent: number): string {
  const pad = '  '.repeat(indent)
  return printed.startsWith(`\n${pad}`) && !printed.startsWith(`\n${pad}-`)
    ? ` ${printed.slice(pad.length + 1)}`
    : printed
}

function text(value: string, indent: number): string {
  if (!isBlockText(value)) return ` ${word(value)}`
  const pad = '  '.repeat(indent)
  const lines = value.replace(/\n$/, '').split('\n')
  return ` |${value.endsWith('\n') ? '' : '-'}${lines.map((line) => `\n${line === '' ? '' : pad}${line}`).join('')}`
}

// Lines that mean the same when they are indented: no white space that nobody sees, no control characters.
function isBlockText(value: string): boolean {
  const isVisible = /^[\n\x20-\x7e\u00a1-\u2027\u2030-\ud7ff]*$/.test(value)
  return isVisible && value.trimEnd().includes('\n') && /^\S(?:.*\S)?\n?$/s.test(value) && !value.includes(' \n')
}

// Plain where nothing else could be read into it, else as JSON, which YAML reads alike.
function word(value: string): string {
  const isPlain = /^[A-Za-z_/][\w ./@%+,()=-]*$/.test(value) && !/^(?:true|false|yes|no|on|off|null|y|n)$/i.test(value)
  return isPlain && value.trim() === value ? value : JSON.stringify(value)
}
