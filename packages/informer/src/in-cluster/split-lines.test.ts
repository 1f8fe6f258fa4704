import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLineSplitter } from './split-lines.ts'

/** Lines that come out when `bytes` arrive cut at `cuts`. */
function linesOf(bytes: Buffer, cuts: readonly number[], maxBytes?: number): { lines: string[]; restBytes: number } {
  const splitter = createLineSplitter(maxBytes)
  const lines: string[] = []
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  let from = 0
  for (const to of ends) {
    splitter.push(bytes.subarray(from, to), (line, start, end) => lines.push(line.toString('utf8', start, end)))
    from = to
  }
  return { lines, restBytes: splitter.restBytes }
}

describe('lines of a watch', () => {
  it.each<[string, string, readonly number[], readonly string[], number]>([
    ['one frame per chunk', '{"a":1}\n{"b":2}\n', [8], ['{"a":1}', '{"b":2}'], 0],
    ['two frames in one chunk', '{"a":1}\n{"b":2}\n', [], ['{"a":1}', '{"b":2}'], 0],
    ['a frame in many chunks', '{"a":1}\n', [1, 2, 3, 4, 5, 6], ['{"a":1}'], 0],
    ['a cut inside a character of several bytes', '"ä€😀"\n', [2, 4, 5, 7, 8, 9], ['"ä€😀"'], 0],
    ['carriage returns go with the line end', '{"a":1}\r\n{"b":2}\r\n', [], ['{"a":1}', '{"b":2}'], 0],
    ['empty lines are left out', '\n\r\n{"a":1}\n\n', [], ['{"a":1}'], 0],
    ['half a frame at the end is kept back', '{"a":1}\n{"b', [], ['{"a":1}'], 3],
  ])('%s', (_name, text, cuts, lines, restBytes) => {
    expect(linesOf(Buffer.from(text), cuts)).toEqual({ lines, restBytes })
  })

  it('come out the same however the bytes are cut', () => {
    const line = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[\r\n]/.test(text))
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat()), (lines, cuts) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''))
        expect(linesOf(bytes, cuts).lines).toEqual(lines)
      }),
      { numRuns: 300 },
    )
  })

  it('are refused when one is longer than the limit', () => {
    expect(() => linesOf(Buffer.from('x'.repeat(30)), [10, 20], 25)).toThrow(RangeError)
    expect(linesOf(Buffer.from(`${'x'.repeat(24)}\n`), [10], 25).lines).toHaveLength(1)
  })
})
