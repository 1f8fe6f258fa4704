// Packs what is published, as it would be published. Needs the builds of `pnpm build`.

import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Packs every library, the daemons and the command line into a folder.
 *
 * @param {string} outDir - emptied first
 * @param {{ workspace?: string, filters?: readonly string[] }} [which] - another clone, fewer packages
 * @returns {readonly string[]} paths of the tarballs
 */
export function packPackages(outDir, { workspace = root, filters = ['./packages/*', './apps/*'] } = {}) {
  rmSync(outDir, { recursive: true, force: true })
  mkdirSync(outDir, { recursive: true })
  const filtered = filters.flatMap((filter) => ['--filter', filter])
  const words = ['-r', ...filtered, 'pack', '--pack-destination', outDir]
  const { program, args } = pnpmCommand(words)
  const run = spawnSync(program, args, { cwd: workspace, encoding: 'utf8' })
  if (run.status !== 0) throw new Error(`pnpm pack ended with ${run.status}\n${run.stdout}${run.stderr}`)
  return readdirSync(outDir)
    .filter((name) => name.endsWith('.tgz'))
    .sort()
    .map((name) => join(outDir, name))
}

/** The pnpm that runs this script, else one that npx brings: only npm is there for sure. */
export function pnpmCommand(words) {
  const own = process.env['npm_execpath']
  if (own?.includes('pnpm')) return { program: process.execPath, args: [own, ...words] }
  return { program: 'npx', args: ['--yes', 'pnpm@10.34.8', ...words] }
}
