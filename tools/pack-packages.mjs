// Packs what is published, as it would be published. Needs the builds of `pnpm build`.

import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Packs every library and the command line into a folder.
 *
 * @param {string} outDir - emptied first
 * @returns {readonly string[]} paths of the tarballs
 */
export function packPackages(outDir) {
  rmSync(outDir, { recursive: true, force: true })
  mkdirSync(outDir, { recursive: true })
  const words = ['-r', '--filter', './packages/*', '--filter', 'kubewire', 'pack', '--pack-destination', outDir]
  const { program, args } = pnpmCommand(words)
  const run = spawnSync(program, args, { cwd: root, encoding: 'utf8' })
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
