// Just enough DER to read names and dates out of certificates and keys: tag, length, content. Checks no signature.
// Source: ITU-T X.690 (DER).

/** One element: its tag byte, its content, and the bytes of both with their header. */
export interface DerElement {
  readonly tag: number
  readonly content: Uint8Array
  readonly bytes: Uint8Array
}

/** The elements that stand one after another in `bytes`; throws a RangeError when they are cut off. */
export function readElements(bytes: Uint8Array): DerElement[] {
  const elements: DerElement[] = []
  for (let at = 0; at < bytes.length; ) {
    const { start, end } = readHeader(bytes, at)
    elements.push({ tag: bytes[at] ?? 0, content: bytes.subarray(start, end), bytes: bytes.subarray(at, end) })
    at = end
  }
  return elements
}

/** The elements inside a constructed one; none when it is absent. */
export function childrenOf(element: DerElement | undefined): DerElement[] {
  return element === undefined ? [] : readElements(element.content)
}

/** An object identifier in dotted form. */
export function readOid(element: DerElement | undefined): string {
  const bytes = element?.content ?? new Uint8Array()
  const parts: number[] = []
  let value = 0
  for (const byte of bytes) {
    value = value * 128 + (byte & 0x7f)
    if (byte & 0x80) continue
    if (parts.length === 0)
      parts.push(Math.min(Math.floor(value / 40), 2), value - Math.min(Math.floor(value / 40), 2) * 40)
    else parts.push(value)
    value = 0
  }
  return parts.join('.')
}

/** Text of any string type. */
export function readText(element: DerElement | undefined): string {
  if (element === undefined) return ''
  const isWide = element.tag === 0x1e
  return new TextDecoder(isWide ? 'utf-16be' : 'utf-8').decode(element.content)
}

/** Milliseconds since the epoch of a UTCTime or GeneralizedTime; NaN when it is neither. */
export function readTime(element: DerElement | undefined): number {
  const text = readText(element)
  const match = /^([0-9]{2,4})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})Z$/.exec(text)
  if (match === null) return Number.NaN
  const [, year = '', month, day, hour, minute, second] = match
  const fullYear = year.length === 4 ? Number(year) : Number(year) + (Number(year) < 50 ? 2000 : 1900)
  return Date.UTC(fullYear, Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
}

function readHeader(bytes: Uint8Array, at: number): { readonly start: number; readonly end: number } {
  const first = bytes[at + 1] ?? 0x80
  const lengthBytes = first & 0x80 ? first & 0x7f : 0
  let length = first & 0x7f
  if (lengthBytes > 0) {
    length = 0
    for (let i = 0; i < lengthBytes; i++) length = length * 256 + (bytes[at + 2 + i] ?? 0)
  }
  const start = at + 2 + lengthBytes
  if (first === 0x80 || lengthBytes > 4 || start + length > bytes.length) throw new RangeError('DER element is cut off')
  return { start, end: start + length }
}
