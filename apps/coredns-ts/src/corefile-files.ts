// The Corefile and what it imports, from disk or standard input.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import type { CorefileSurroundings } from '@kubewire/dns-core/corefile'

/** What CoreDNS serves when there is no Corefile at all. */
const defaultCorefile = '.:53 {\n    whoami\n    log\n}\n'

/** A Corefile with its name in messages. */
export interface CorefileText {
  readonly text: string
  readonly fileName: string
}

/** Reads the file of `-conf`; empty means `Corefile` if it is there. Throws with the original's words. */
export function readCorefile(path: string, defaultPort: number): CorefileText {
  if (path === 'stdin') return { text: readFileSync(0, 'utf8'), fileName: 'stdin' }
  if (path === '' && !existsSync('Corefile')) {
    return { text: defaultCorefile.replace('53', String(defaultPort)), fileName: 'Corefile' }
  }
  const fileName = path === '' ? 'Corefile' : path
  try {
    return { text: readFileSync(fileName, 'utf8'), fileName }
  } catch (cause) {
    const code = (cause as { readonly code?: string }).code
    const reason =
      code === 'ENOENT' ? 'no such file or directory' : code === 'EACCES' ? 'permission denied' : String(code)
    throw new Error(`loading Caddyfile via flag: open ${fileName}: ${reason}`)
  }
}

/** Environment and imported files of this process. */
export const processSurroundings: CorefileSurroundings = {
  environment: (name) => process.env[name],
  files: {
    read(pattern, importingFile) {
      const path = isAbsolute(pattern) ? pattern : join(dirname(importingFile), pattern)
      return expandGlob(path).flatMap((file) => {
        try {
          return [{ file, text: readFileSync(file, 'utf8') }]
        } catch {
          return []
        }
      })
    },
  },
}

/** Files of a glob with wildcards in its last part; hidden files need a dot in the pattern (Go filepath.Match). */
function expandGlob(path: string): string[] {
  if (!/[*?]/.test(path)) return [path]
  const [folder, pattern] = [dirname(path), basename(path)]
  const escaped = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]')
  const expression = new RegExp(`^${escaped}$`)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => expression.test(name) && (!name.startsWith('.') || pattern.startsWith('.')))
    .sort()
    .map((name) => join(folder, name))
}
