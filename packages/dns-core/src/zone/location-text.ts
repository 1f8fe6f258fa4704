// Text of LOC records, there and back (RFC 1876).

/** Words behind the type → bytes; `undefined` when they are wrong. */
export function parseLocationText(words: readonly string[]): Uint8Array | undefined {
  const reader = { words, at: 0 }
  const latitude = readAngle(reader, 90, 'NS')
  const longitude = readAngle(reader, 180, 'EW')
  const [altitude, size = '1m', horizontal = '10000m', vertical = '10m', none] = words.slice(reader.at)
  const meters = altitude === undefined ? undefined : centimeters(altitude)
  const sizes = [size, horizontal, vertical].map((text) => precision(centimeters(text)))
  if (latitude === undefined || longitude === undefined || meters === undefined || none !== undefined) return undefined
  const height = meters + depth
  if (sizes.includes(undefined) || height < 0 || height >= 2 ** 32) return undefined
  const out = Buffer.alloc(16)
  for (const [i, value] of sizes.entries()) out.writeUInt8(value ?? 0, 1 + i)
  out.writeUInt32BE(latitude, 4)
  out.writeUInt32BE(longitude, 8)
  out.writeUInt32BE(height, 12)
  return Uint8Array.from(out)
}

/** Altitudes count from so many centimeters below the reference. */
const depth = 10_000_000

/** The largest size: nine and nine zeros, in centimeters (RFC 1876 section 2). A longer text may be Infinity. */
const mostCentimeters = 9e9

/** The angle 0 on the wire. */
const equator = 2 ** 31

function readAngle(
  reader: { readonly words: readonly string[]; at: number },
  most: number,
  letters: string,
): number | undefined {
  const numbers: number[] = []
  for (; numbers.length < 4; reader.at++) {
    const word = reader.words[reader.at] ?? ''
    if (letters.includes(word.toUpperCase()) && word.length === 1) {
      reader.at++
      const [degrees = Number.NaN, minutes = 0, seconds = 0] = numbers
      if (!(degrees <= most && minutes < 60 && seconds < 60)) return undefined
      const milliseconds = Math.round(((degrees * 60 + minutes) * 60 + seconds) * 1000)
      return word.toUpperCase() === letters[0] ? equator + milliseconds : equator - milliseconds
    }
    if (!/^[0-9]+(?:\.[0-9]+)?$/.test(word)) return undefined
    numbers.push(Number(word))
  }
  return undefined
}

function centimeters(text: string): number | undefined {
  if (!/^-?[0-9]+(?:\.[0-9]{1,2})?m?$/.test(text)) return undefined
  const value = Math.round(Number(text.replace(/m$/, '')) * 100)
  return Math.abs(value) <= mostCentimeters ? value : undefined
}

/** One digit and a power of ten, in four bits each. */
function precision(value: number | undefined): number | undefined {
  if (value === undefined || value < 0) return undefined
  let [digit, power] = [value, 0]
  for (; digit >= 10; power++) digit = Math.floor(digit / 10)
  return power > 9 ? undefined : digit * 16 + power
}

/** Bytes → text; `undefined` when they are of another version or length. */
export function printLocationText(bytes: Uint8Array): string | undefined {
  const data = Buffer.from(bytes)
  if (data.length !== 16 || data[0] !== 0) return undefined
  const [latitude, longitude] = [angleText(data.readUInt32BE(4), 'NS'), angleText(data.readUInt32BE(8), 'EW')]
  const meters = (data.readUInt32BE(12) - depth) / 100
  const sizes = [1, 2, 3].map((at) => `${sizeText(data.readUInt8(at))}m`)
  return [latitude, longitude, `${Number.isInteger(meters) ? meters : meters.toFixed(2)}m`, ...sizes].join(' ')
}

function angleText(value: number, letters: string): string {
  const distance = Math.abs(value - equator)
  const seconds = ((distance % 60_000) / 1000).toFixed(3)
  const [degrees, minutes] = [Math.floor(distance / 3_600_000), Math.floor(distance / 60_000) % 60]
  const two = (part: number): string => String(part).padStart(2, '0')
  return `${two(degrees)} ${two(minutes)} ${seconds} ${value >= equator ? letters[0] : letters[1]}`
}

function sizeText(byte: number): string {
  const value = (byte >> 4) * 10 ** (byte & 15)
  return value % 100 === 0 ? String(value / 100) : (value / 100).toFixed(2)
}
