// Which published packages went into a bundle: read from esbuild's own account of its inputs, so nothing is guessed.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @param {string} root - what the input paths are relative to
 * @param {Iterable<string>} inputs - paths of bundled files
 * @returns {{ name: string, version: string, license: string }[]} sorted by name, then version
 */
export function bundledPackages(root, inputs) {
  const found = [...homesOf(inputs)].map((home) => {
    const { name, version, license = '' } = JSON.parse(readFileSync(join(root, home, 'package.json'), 'utf8'))
    return { name, version, license: typeof license === 'string' ? license : license.type }
  })
  return found.sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version))
}

/**
 * The notices that the licences of bundled packages want to see kept, one after the other.
 *
 * @param {string} root - what the input paths are relative to
 * @param {Iterable<string>} inputs - paths of bundled files
 * @returns {string}
 */
export function bundledNotices(root, inputs) {
  const notices = [...homesOf(inputs)].map((home) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, home, 'package.json'), 'utf8'))
    const files = readdirSync(join(root, home)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    const texts = files.sort(compare).map((file) => readFileSync(join(root, home, file), 'utf8').trim())
    return `${name} ${version} (${license?.type ?? license})\n\n${texts.join('\n\n')}\n`
  })
  return notices.sort(compare).join(`\n${'-'.repeat(80)}\n\n`)
}

// Folders such as `node_modules/.cache` are no packages: scratch files lie there.
function homesOf(inputs) {
  const homes = [...inputs].map((input) => /^.*node_modules\/(?!\.)(?:@[^/]+\/)?[^/]+/.exec(input)?.[0])
  return new Set(homes.filter((home) => home !== undefined))
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0
}
