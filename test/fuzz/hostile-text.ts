// Texts that a parser must survive: noise, and good texts with pieces cut out, doubled and replaced.

import fc from 'fast-check'

/** What is put into good texts: brackets, quotes, escapes, numbers at their limits, names of prototypes. */
const pieces = [
  ...['{', '}', '(', ')', '[', ']', '"', "'", '`', '\\', '\\"', '#', ';', ':', ',', '$', '%', '*', '!', '|', '&', '<<'],
  ...['\n', '\r\n', '\t', '\0', ' ', '\u00e9', '\u202e', '-', '--', '---\n', '0', '-1', '65536', '1e999'],
  ...['18446744073709551616', '__proto__', 'constructor', 'toString', '!!js/function', '&a *a', '\\x', '\\u{', '$1'],
]

/** Noise, or one of `seeds` with up to six wounds. */
export function hostileText(seeds: readonly string[]): fc.Arbitrary<string> {
  const wound = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    cut: fc.integer({ min: 0, max: 12 }),
    put: fc.oneof(
      fc.constantFrom(...pieces),
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.constantFrom(...seeds.flatMap((seed) => seed.split(/(?<=\s)/))),
    ),
    times: fc.constantFrom(1, 1, 1, 2, 50),
  })
  const wounded = fc.tuple(fc.constantFrom(...seeds), fc.array(wound, { maxLength: 6 })).map(([seed, wounds]) =>
    wounds.reduce((text, { at, cut, put, times }) => {
      const from = Math.floor(at * text.length)
      return text.slice(0, from) + put.repeat(times) + text.slice(from + cut)
    }, seed),
  )
  // As read from a file: no half of a surrogate pair.
  return fc
    .oneof({ weight: 1, arbitrary: fc.string({ unit: 'binary' }) }, { weight: 4, arbitrary: wounded })
    .map((text) => Buffer.from(text).toString())
}

/** The same for bytes: noise, or one of `seeds` with bytes replaced and its end cut off. */
export function hostileBytes(seeds: readonly Uint8Array[]): fc.Arbitrary<Uint8Array> {
  const change = fc.tuple(
    fc.nat({ max: 600 }),
    fc.oneof(fc.constantFrom(0, 1, 0x3f, 0x80, 0xc0, 0xff), fc.nat({ max: 255 })),
  )
  const wounded = fc
    .tuple(fc.constantFrom(...seeds), fc.array(change, { maxLength: 6 }), fc.nat({ max: 40 }))
    .map(([seed, changes, cut]) => {
      const bytes = Uint8Array.from(seed)
      for (const [at, value] of changes) if (bytes.length > 0) bytes[at % bytes.length] = value
      return bytes.subarray(0, Math.max(0, bytes.length - (cut > 20 ? 0 : cut)))
    })
  return fc.oneof({ weight: 1, arbitrary: fc.uint8Array({ maxLength: 600 }) }, { weight: 4, arbitrary: wounded })
}

/** How long each parser is fed: KUBEWIRE_FUZZ_SECONDS, a quarter of a second when absent. */
export const fuzzMs: number = Number(process.env['KUBEWIRE_FUZZ_SECONDS'] ?? 0.25) * 1000

/** Feeds a parser until its time is over; a failure shows the input and the seed to repeat it. */
export function feed<T>(inputs: fc.Arbitrary<T>, parse: (input: T) => void): void {
  fc.assert(fc.property(inputs, parse), {
    numRuns: 1_000_000_000,
    interruptAfterTimeLimit: fuzzMs,
    markInterruptAsFailure: false,
    // Shrinking would take longer than the time box; the seed is there for it.
    endOnFailure: true,
  })
}
