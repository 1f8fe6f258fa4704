// Bytes → names and numbers, with the bounds of RFC 1035 checked. Everything returns -1 or `undefined` on bad input:
// a packet from the network never throws.

/** A name read from the wire and the offset behind it. */
export interface ReadName {
  readonly name: string
  readonly end: number
}

/** Reads a name at `start`, following pointers backwards only when `mayPoint`; `undefined` when it is malformed. */
export function readName(bytes: Uint8Array, start: number, mayPoint = true): ReadName | undefined {
  let at = start
  let end = -1
  let total = 1
  let count = 0
  for (let hops = 0; ; ) {
    const length = bytes[at]
    if (length === undefined) return undefined
    if (length === 0) break
    if (length >= 0xc0) {
      const low = bytes[at + 1]
      if (!mayPoint || low === undefined || ++hops > 126) return undefined
      if (end < 0) end = at + 2
      at = ((length & 0x3f) << 8) | low
      continue
    }
    if (length > 63 || at + 1 + length > bytes.length) return undefined
    total += length + 1
    if (total > 255) return undefined
    count = readLabel(bytes, at + 1, length, count)
    codes[count++] = 46
    at += length + 1
  }
  const name = count === 0 ? '.' : String.fromCharCode.apply(null, codes.slice(0, count))
  return { name, end: end < 0 ? at + 1 : end }
}

/** Big-endian 16 bits; missing bytes count as zero, the caller checks bounds. */
export function readUint16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
}

/** Big-endian 32 bits without sign. */
export function readUint32(bytes: Uint8Array, at: number): number {
  return readUint16(bytes, at) * 65536 + readUint16(bytes, at + 2)
}

const plainBytes: readonly boolean[] = Array.from({ length: 256 }, (_, code) => {
  const special = '.();@"\\ '
  return code > 32 && code < 127 && !special.includes(String.fromCharCode(code))
})

/** Characters of the name being read; four for each byte at most. */
const codes: number[] = Array.from({ length: 1024 }, () => 0)

function readLabel(bytes: Uint8Array, start: number, length: number, from: number): number {
  let count = from
  for (let i = start; i < start + length; i++) {
    const code = bytes[i] ?? 0
    if (!plainBytes[code]) {
      codes[count++] = 92
      if (code < 32 || code > 126) {
        codes[count++] = 48 + Math.floor(code / 100)
        codes[count++] = 48 + (Math.floor(code / 10) % 10)
        codes[count++] = 48 + (code % 10)
        continue
      }
    }
    codes[count++] = code
  }
  return count
}
