// Names on the wire with the compression that the original uses (miekg/dns): case-sensitive, names in SRV and NAPTR
// data are written in full but may be pointed at later. Sizes, and so truncation, depend on exactly this.

/** Offsets of names already written, by their presentation text from a label to the end. */
export type NameOffsets = Map<string, number>

/** Pointers reach the first 16 KiB only (RFC 1035 §4.1.4). */
const maxPointer = 16384

/**
 * Writes an absolute name and returns the offset behind it, or -1 when it does not fit before `limit` or on the wire.
 *
 * @param offsets - names written so far; `undefined` writes in full and remembers nothing
 * @param mayPoint - whether this name may be shortened (RFC 2782 and RFC 3597 forbid it for newer types)
 */
export function writeName(
  bytes: Uint8Array,
  start: number,
  limit: number,
  name: string,
  offsets: NameOffsets | undefined,
  mayPoint: boolean,
): number {
  let at = start
  let rest = name
  while (rest !== '.' && rest !== '') {
    if (offsets !== undefined) {
      const known = offsets.get(rest)
      if (known === undefined) {
        if (at < maxPointer) offsets.set(rest, at)
      } else if (mayPoint) {
        if (at + 2 > limit) return -1
        bytes[at] = 0xc0 | (known >> 8)
        bytes[at + 1] = known & 0xff
        return at + 2
      }
    }
    const end = labelEnd(rest)
    const next = writeLabel(bytes, at, limit, rest, end)
    if (next < 0) return -1
    at = next
    rest = rest.slice(end + 1)
  }
  if (at + 1 > limit) return -1
  bytes[at] = 0
  return at + 1
}

function labelEnd(name: string): number {
  const dot = name.indexOf('.')
  const slash = name.indexOf('\\')
  if (slash < 0 || (dot >= 0 && dot < slash)) return dot < 0 ? name.length : dot
  for (let i = slash; i < name.length; i++) {
    if (name[i] === '\\') i++
    else if (name[i] === '.') return i
  }
  return name.length
}

function writeLabel(bytes: Uint8Array, start: number, limit: number, name: string, end: number): number {
  let at = start + 1
  for (let i = 0; i < end; i++) {
    if (at >= limit) return -1
    let code = name.charCodeAt(i)
    if (code === 92) {
      const digits = name.slice(i + 1, i + 4)
      if (/^[0-9]{3}$/.test(digits)) {
        code = Number(digits)
        i += 3
      } else code = name.charCodeAt(++i)
    }
    bytes[at++] = code
  }
  const length = at - start - 1
  if (length === 0 || length > 63 || at > limit) return -1
  bytes[start] = length
  return at
}
