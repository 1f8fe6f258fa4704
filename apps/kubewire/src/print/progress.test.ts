import { describe, expect, it } from 'vitest'
import { createProgressLine } from './progress.ts'

function lineAt(isTerminal: boolean): { readonly written: string[]; readonly at: (ms: number, text?: string) => void } {
  const written: string[] = []
  let now = 0
  const line = createProgressLine({ isTerminal, write: (text) => void written.push(text), nowMs: () => now })
  return {
    written,
    at: (ms, text) => {
      now = ms
      if (text === undefined) line.clear()
      else line.show(text)
    },
  }
}

describe('progress', () => {
  it('is silent for a second, then shows one line, rewrites it and takes it away', () => {
    const { written, at } = lineAt(true)
    at(0, 'reading a')
    at(999, 'reading b')
    at(1000, 'reading c')
    at(1050, 'too soon')
    at(1200, 'reading d')
    at(1300)
    at(1301)
    expect(written).toEqual(['\r\u001b[Kreading c', '\r\u001b[Kreading d', '\r\u001b[K'])
  })

  it('writes nothing where there is no terminal', () => {
    const { written, at } = lineAt(false)
    at(5000, 'reading')
    at(6000)
    expect(written).toEqual([])
  })
})
