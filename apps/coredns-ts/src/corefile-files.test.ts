import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { processSurroundings, readCorefile } from './corefile-files.ts'

describe('files of a Corefile', () => {
  const dir = mkdtempSync(join(tmpdir(), 'corefile-'))
  afterAll(() => rmSync(dir, { recursive: true, force: true }))
  mkdirSync(join(dir, 'custom'))
  for (const name of ['b.server', 'a.server', '.hidden.server', 'c.override'])
    writeFileSync(join(dir, 'custom', name), name)

  it('are found by globs beside the importing file, in order of names, hidden ones left out', () => {
    const read = (pattern: string): string[] =>
      processSurroundings.files.read(pattern, join(dir, 'Corefile')).map(({ text }) => text)
    expect(read('custom/*.server')).toEqual(['a.server', 'b.server'])
    expect(read('custom/?.override')).toEqual(['c.override'])
    expect(read('custom/none*')).toEqual([])
    expect(read('custom/a.server')).toEqual(['a.server'])
    expect(read('custom/none')).toEqual([])
  })

  it('are named in the words of the original when they are missing', () => {
    expect(() => readCorefile(join(dir, 'nope'), 53)).toThrow(
      `loading Caddyfile via flag: open ${join(dir, 'nope')}: no such file or directory`,
    )
  })
})
