// What a fresh clone needs before anything else runs: the right Node, the Debian packages, pnpm and the dependencies.
// Plain Node without dependencies; used by `npm test` and `npm run demo`.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installMissingPackages } from './system-packages.mjs'

/** The checkout. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** `pnpm@VERSION` as package.json pins it. */
export const pnpm = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).packageManager

/** The environment for children: no questions, no colours, no dependence on a terminal. */
export const quietEnv = { ...process.env, CI: 'true', NO_COLOR: '1', npm_config_yes: 'true' }

/**
 * Prepares the checkout.
 *
 * @param {(line: string) => void} say - progress for people
 * @returns {{ ok: boolean, missing: readonly string[] }} whether dependencies are there; Debian packages still missing
 */
export function setUp(say) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    say(`Node 20.19 or newer is needed, this is ${process.versions.node}`)
    return { ok: false, missing: [] }
  }
  const missing = installMissingPackages(say)
  say(`installing dependencies with ${pnpm}`)
  // npm would hand its own log level down to pnpm; `--reporter=append-only` needs no terminal.
  const words = ['--yes', pnpm, 'install', '--frozen-lockfile', '--reporter=append-only']
  const install = spawnSync('npx', words, { cwd: root, env: quietEnv, stdio: ['ignore', 'inherit', 'inherit'] })
  return { ok: install.status === 0, missing }
}
