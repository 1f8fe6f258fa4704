// Which published packages went into a bundle: read from esbuild's own account of its inputs, so nothing is guessed.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @param {string} root - what the input paths are relative to
 * @param {Iterable<string>} inputs - paths of bundled files
 * @returns {{ name: string, version: string, license: string }[]} sorted by name, then version
 */
export function bundledPackages(root, inputs) {
  const found = new Map()
  for (const input of inputs) {
    // Folders such as `node_modules/.cache` are no packages: scratch files lie there.
    const home = /^.*node_modules\/(?!\.)(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]
    if (home === undefined || found.has(home)) continue
    const { name, version, license = '' } = JSON.parse(readFileSync(join(root, home, 'package.json'), 'utf8'))
    found.set(home, { name, version, license: typeof license === 'string' ? license : license.type })
  }
  return [...found.values()].sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version))
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0
}
