import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { linkLua } from './link-lua.ts'

const source = join(dirname(fileURLToPath(import.meta.url)), '../../../../packages/nginx-gen/src/lua')

describe('the link to the Lua files', () => {
  const made: string[] = []
  const folder = (): string => {
    const path = mkdtempSync(join(tmpdir(), 'kubewire-lua-'))
    made.push(path)
    return path
  }
  const copy = (): string => {
    const path = folder()
    cpSync(source, path, { recursive: true })
    return path
  }
  afterEach(() => {
    for (const path of made.splice(0)) rmSync(path, { recursive: true })
  })

  it('leads to them and has the same name for the same contents, wherever they lie', () => {
    const [runDir, other] = [folder(), copy()]
    const first = linkLua(runDir, source)
    expect(readFileSync(join(first, 'kubewire.lua'), 'utf8')).toBe(readFileSync(join(source, 'kubewire.lua'), 'utf8'))
    expect(linkLua(runDir, other)).toBe(first)
    expect(readdirSync(runDir)).toEqual([basename(first)])
  })

  it('has another name when a file has changed, and the old one is gone', () => {
    const [runDir, changed] = [folder(), copy()]
    const first = linkLua(runDir, source)
    writeFileSync(join(changed, 'kubewire/route.lua'), '-- another version')
    const second = linkLua(runDir, changed)
    expect(second).not.toBe(first)
    expect(readdirSync(runDir)).toEqual([basename(second)])
  })
})
