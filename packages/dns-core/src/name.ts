// Domain names as absolute presentation text (`web.shop.svc.cluster.local.`), letter case kept, RFC 1035 §5.1 escapes
// (`\.`, `\092`). Comparisons fold case with `foldName`; everything else here expects folded input where it says so.

/** An absolute domain name in presentation form; always ends with an unescaped dot. */
export type Name = string

/** The name in lower case, the form in which names are compared (RFC 4343). */
export function foldName(name: Name): Name {
  return name.toLowerCase()
}

/** Adds the final dot that makes a name absolute, unless an unescaped one is there. */
export function absoluteName(text: string): Name {
  return text.endsWith('.') && !isEscapedAt(text, text.length - 1) ? text : `${text}.`
}

/** The labels of a name from left to right, escapes kept; none for the root. */
export function labelsOf(name: Name): string[] {
  if (name === '.' || name === '') return []
  if (!name.includes('\\')) return (name.endsWith('.') ? name.slice(0, -1) : name).split('.')
  const labels: string[] = []
  let start = 0
  for (let i = 0; i < name.length; i++) {
    if (name[i] === '\\') i++
    else if (name[i] === '.') {
      labels.push(name.slice(start, i))
      start = i + 1
    }
  }
  if (start < name.length) labels.push(name.slice(start))
  return labels
}

/** Whether `name` equals `zone` or lies below it; both folded and absolute. */
export function isUnder(zone: Name, name: Name): boolean {
  if (zone === '.') return true
  if (!name.endsWith(zone)) return false
  const cut = name.length - zone.length
  return cut === 0 || (name[cut - 1] === '.' && !isEscapedAt(name, cut - 1))
}

/** The longest of the folded `zones` that holds the folded `name`. */
export function longestZone(zones: readonly Name[], name: Name): Name | undefined {
  let best: Name | undefined
  for (const zone of zones) {
    if (isUnder(zone, name) && (best === undefined || zone.length > best.length)) best = zone
  }
  return best
}

/** The name without its first label; the root stays the root. */
export function parentName(name: Name): Name {
  const first = labelsOf(name)[0]
  if (first === undefined) return '.'
  return name.slice(first.length + 1) || '.'
}

/** `left` and `zone` joined to one name; `left` may be empty, `zone` may be the root. */
export function joinName(left: string, zone: Name): Name {
  if (left === '') return zone
  return zone === '.' ? absoluteName(left) : `${left.endsWith('.') ? left : `${left}.`}${zone}`
}

/** Length of the name on the wire in bytes, or `undefined` when a label or the whole is too long or empty. */
function wireLength(name: Name): number | undefined {
  if (name === '.') return 1
  let total = 1
  for (const label of labelsOf(name)) {
    const bytes = label.includes('\\') ? label.replaceAll(/\\(?:[0-9]{3}|.)/gs, 'x').length : label.length
    if (bytes === 0 || bytes > 63) return undefined
    total += bytes + 1
  }
  return total > 255 ? undefined : total
}

/** Bytes that a name takes on the wire without compression. */
export function nameBytes(name: Name): number {
  if (name === '.') return 1
  return (name.includes('\\') ? name.replaceAll(/\\(?:[0-9]{3}|.)/gs, 'x') : name).length + 1
}

/** Whether the text is a name that fits on the wire (labels of 1 to 63 bytes, 255 in all). */
export function isValidName(text: string): boolean {
  return wireLength(absoluteName(text)) !== undefined
}

/** Order of names by their labels from the right (RFC 4034 §6.1, canonical order). */
export function compareNames(a: Name, b: Name): number {
  const left = labelsOf(a).reverse()
  const right = labelsOf(b).reverse()
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [x = '', y = ''] = [left[i], right[i]]
    if (x !== y) return x < y ? -1 : 1
  }
  return left.length - right.length
}

function isEscapedAt(text: string, index: number): boolean {
  let slashes = 0
  while (text[index - 1 - slashes] === '\\') slashes++
  return slashes % 2 === 1
}
