// Addresses ↔ bytes, without a library on the hot path. Spellings are trusted: they were checked when they came in.

/** Writes a dotted quad at `offset`. */
export function writeIpv4(bytes: Uint8Array, offset: number, text: string): void {
  let value = 0
  let at = offset
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 46) {
      bytes[at++] = value
      value = 0
    } else value = value * 10 + code - 48
  }
  bytes[at] = value
}

/** Writes an IPv6 address (any legal spelling, a dotted tail included) at `offset`. */
export function writeIpv6(bytes: Uint8Array, offset: number, text: string): void {
  bytes.fill(0, offset, offset + 16)
  const gap = text.indexOf('::')
  const head = gap < 0 ? text : text.slice(0, gap)
  const tail = gap < 0 ? '' : text.slice(gap + 2)
  const left = groupsOf(head)
  const right = groupsOf(tail)
  for (const [i, group] of left.entries()) writeGroup(bytes, offset + 2 * i, group)
  for (const [i, group] of right.entries()) writeGroup(bytes, offset + 16 - 2 * (right.length - i), group)
}

/** Dotted quad of four bytes. */
export function readIpv4(bytes: Uint8Array, offset: number): string {
  return `${bytes[offset]}.${bytes[offset + 1]}.${bytes[offset + 2]}.${bytes[offset + 3]}`
}

/** RFC 5952 text of sixteen bytes; an IPv4-mapped address keeps its dotted tail, as Go prints it. */
export function readIpv6(bytes: Uint8Array, offset: number): string {
  const groups: number[] = []
  for (let i = 0; i < 16; i += 2) groups.push(((bytes[offset + i] ?? 0) << 8) | (bytes[offset + i + 1] ?? 0))
  if (groups.slice(0, 5).every((g) => g === 0) && groups[5] === 0xffff) return `::ffff:${readIpv4(bytes, offset + 12)}`
  const { start, length } = longestZeros(groups)
  if (length < 2) return groups.map((g) => g.toString(16)).join(':')
  const print = (part: readonly number[]): string => part.map((g) => g.toString(16)).join(':')
  return `${print(groups.slice(0, start))}::${print(groups.slice(start + length))}`
}

function groupsOf(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [Number.parseInt(part, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number)
    return [(a << 8) | b, (c << 8) | d]
  })
}

function writeGroup(bytes: Uint8Array, offset: number, group: number): void {
  bytes[offset] = group >> 8
  bytes[offset + 1] = group & 0xff
}

function longestZeros(groups: readonly number[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 }
  for (let i = 0; i < groups.length; i++) {
    let end = i
    while (groups[end] === 0) end++
    if (end - i > best.length) best = { start: i, length: end - i }
    i = Math.max(i, end - 1)
  }
  return best
}
