import { readdirSync } from 'node:fs'
import { luaFiles } from '@kubewire/nginx-gen'
import { expect, it } from 'vitest'

it('the manifest of nginx-gen lists every Lua file', () => {
  const found = readdirSync(new URL('../../packages/nginx-gen/src/lua/', import.meta.url), { recursive: true })
    .map((name) => String(name))
    .filter((name) => name.endsWith('.lua'))
  expect(luaFiles).toEqual(found.sort())
})
