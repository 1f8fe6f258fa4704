// Just enough DER to write a certificate. Source: ITU-T X.690.

/** One element: tag, length, contents one after another. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(content.length)]), content])
}

/** Universal tags; the constructed bit is set where an element holds others. */
export const derTag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const

/** An object identifier from its dotted form. */
export function derOid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return der(derTag.objectIdentifier, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

/** A moment to the second; with two digits of the year before 2050 (RFC 5280 §4.1.2.5). */
export function derTime(ms: number): Buffer {
  const digits = new Date(ms)
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .replaceAll(/\D/g, '')
  const isShort = digits < '2050'
  return der(isShort ? derTag.utcTime : derTag.generalizedTime, Buffer.from(`${digits.slice(isShort ? 2 : 0)}Z`))
}

function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length]
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
}

// Seven bits a byte, the highest ones first; all but the last byte have their top bit set.
function base128(part: number): number[] {
  const bytes = [part & 0x7f]
  for (let rest = part >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 0x7f) | 0x80)
  return bytes
}
