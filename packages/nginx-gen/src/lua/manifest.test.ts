import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { luaFiles } from './manifest.ts'

it('lists every Lua file of this folder', () => {
  const found = readdirSync(new URL('.', import.meta.url), { recursive: true })
    .map((name) => String(name))
    .filter((name) => name.endsWith('.lua'))
  expect(luaFiles).toEqual(found.sort())
})
