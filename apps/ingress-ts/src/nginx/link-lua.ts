// The Lua files under a name that says what is in them. It stands in nginx.conf, so that an nginx which another version of the
// controller has left behind counts as changed: it is reloaded before it gets data that its code does not know.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { luaFiles } from '@kubewire/nginx-gen'

const linkName = /^lua-[0-9a-f]{12}$/

/**
 * Makes the link in the run directory and removes those of other versions, whose code has been read long ago.
 *
 * @param folder - holds the files of `luaFiles`
 * @returns path of the link
 */
export function linkLua(runDir: string, folder: string): string {
  const hash = createHash('sha256')
  for (const name of luaFiles) hash.update(`${name}\n`).update(readFileSync(join(folder, name)))
  const link = join(resolve(runDir), `lua-${hash.digest('hex').slice(0, 12)}`)
  for (const name of readdirSync(runDir)) if (linkName.test(name)) rmSync(join(runDir, name), { force: true })
  symlinkSync(resolve(folder), link)
  return link
}
