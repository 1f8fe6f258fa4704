// SHA-256 (FIPS 180-4) over short UTF-8 texts, in plain TypeScript: no node:crypto here, though whoever has it may hand it
// in. Not for secrets.

// The constants of FIPS 180-4: square roots of the first 8 primes and cube roots of the first 64, fractional parts.
const initial = fractions(8, 1 / 2)
const constants = fractions(64, 1 / 3)
const schedule = new Int32Array(64)
const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'].map((letter) => letter.charCodeAt(0))
const encoder = new TextEncoder()
// Names are short and hashed by the ten thousand: their padded blocks are made in this one place.
const scratch = new Uint8Array(1024)

/**
 * The SHA-256 of a text's UTF-8, one character a byte. Node's `hash('sha256', text, 'binary')` is one, and takes a quarter
 * of the time of the one here as long as nothing is compiled.
 */
export type TextDigest = (text: string) => string

/** The first `length` characters of the base32 (RFC 4648, upper case) of the text's SHA-256; at most 16. */
export function hashName(text: string, length: number, digestOf?: TextDigest): string {
  const name = base32(digestOf === undefined ? textOf(digest(...padText(text))) : digestOf(text))
  return length === 16 ? name : name.slice(0, length)
}

// Sixteen letters of five bits each out of ten bytes, without a loop: names are made before anything is compiled.
function base32(bytes: string): string {
  const at = (i: number): number => bytes.charCodeAt(i)
  // Twenty bits at a time: more than 32 do not fit an integer.
  const a = (at(0) << 12) | (at(1) << 4) | (at(2) >> 4)
  const b = ((at(2) & 15) << 16) | (at(3) << 8) | at(4)
  const c = (at(5) << 12) | (at(6) << 4) | (at(7) >> 4)
  const d = ((at(7) & 15) << 16) | (at(8) << 8) | at(9)
  return String.fromCharCode(
    letter(a >> 15),
    letter(a >> 10),
    letter(a >> 5),
    letter(a),
    letter(b >> 15),
    letter(b >> 10),
    letter(b >> 5),
    letter(b),
    letter(c >> 15),
    letter(c >> 10),
    letter(c >> 5),
    letter(c),
    letter(d >> 15),
    letter(d >> 10),
    letter(d >> 5),
    letter(d),
  )
}

function letter(bits: number): number {
  return alphabet[bits & 31] as number
}

/** The first ten bytes of a digest, as characters. */
function textOf(state: Int32Array): string {
  const codes = new Array<number>(10)
  for (let i = 0; i < codes.length; i++) codes[i] = ((state[i >> 2] as number) >>> (24 - 8 * (i & 3))) & 255
  return String.fromCharCode(...codes)
}

/** The eight words of the SHA-256 of some bytes. */
export function sha256(bytes: Uint8Array): Int32Array {
  const padded = new Uint8Array(paddedLength(bytes.length))
  padded.set(bytes)
  return digest(padded, pad(padded, bytes.length))
}

function padText(text: string): readonly [Uint8Array, number] {
  const { length } = text
  if (paddedLength(length * 3) > scratch.length) {
    const bytes = encoder.encode(text)
    const padded = new Uint8Array(paddedLength(bytes.length))
    padded.set(bytes)
    return [padded, pad(padded, bytes.length)]
  }
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i)
    if (code > 127) return [scratch, pad(scratch, encoder.encodeInto(text, scratch).written)]
    scratch[i] = code
  }
  return [scratch, pad(scratch, length)]
}

function paddedLength(length: number): number {
  return Math.ceil((length + 9) / 64) * 64
}

/** Appends the padding to `length` bytes of content; answers how long they are then. */
function pad(bytes: Uint8Array, length: number): number {
  const end = paddedLength(length)
  bytes.fill(0, length, end)
  bytes[length] = 0x80
  for (let i = 0, bits = length * 8; i < 6; i++, bits = Math.floor(bits / 256)) bytes[end - 1 - i] = bits % 256
  return end
}

function digest(bytes: Uint8Array, end: number): Int32Array {
  const state = new Int32Array(initial)
  for (let offset = 0; offset < end; offset += 64) compress(state, bytes, offset)
  return state
}

function compress(state: Int32Array, bytes: Uint8Array, offset: number): void {
  const w = schedule
  for (let i = 0, at = offset; i < 16; i++, at += 4)
    w[i] =
      ((bytes[at] as number) << 24) |
      ((bytes[at + 1] as number) << 16) |
      ((bytes[at + 2] as number) << 8) |
      (bytes[at + 3] as number)
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15] as number
    const y = w[i - 2] as number
    const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3)
    const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10)
    w[i] = ((w[i - 16] as number) + s0 + (w[i - 7] as number) + s1) | 0
  }
  let a = state[0] as number
  let b = state[1] as number
  let c = state[2] as number
  let d = state[3] as number
  let e = state[4] as number
  let f = state[5] as number
  let g = state[6] as number
  let h = state[7] as number
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (constants[i] as number) + (w[i] as number)) | 0
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  state[0] = ((state[0] as number) + a) | 0
  state[1] = ((state[1] as number) + b) | 0
  state[2] = ((state[2] as number) + c) | 0
  state[3] = ((state[3] as number) + d) | 0
  state[4] = ((state[4] as number) + e) | 0
  state[5] = ((state[5] as number) + f) | 0
  state[6] = ((state[6] as number) + g) | 0
  state[7] = ((state[7] as number) + h) | 0
}

function rotate(x: number, n: number): number {
  return (x >>> n) | (x << (32 - n))
}

function fractions(count: number, power: number): Int32Array {
  const out = new Int32Array(count)
  for (let n = 2, i = 0; i < count; n++) {
    if (!isPrime(n)) continue
    const root = n ** power
    out[i++] = ((root - Math.floor(root)) * 0x100000000) | 0
  }
  return out
}

function isPrime(n: number): boolean {
  for (let d = 2; d * d <= n; d++) if (n % d === 0) return false
  return true
}
