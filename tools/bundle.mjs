// Bundles the executables: `node tools/bundle.mjs [NAME...]` or `NAME --out DIR`. Without --out each lands where its package.json
// says, without names all are made.

import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleEntry, bundlePage, executables } from './bundle-entry.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

await main(process.argv.slice(2))

async function main(args) {
  const outAt = args.indexOf('--out')
  const outDir = outAt < 0 ? undefined : args[outAt + 1]
  const names = args.filter((word, at) => !word.startsWith('--') && (outAt < 0 || at !== outAt + 1))
  if (outDir !== undefined && names.length !== 1) throw new Error('--out takes the bundle of exactly one executable')
  for (const name of names.length > 0 ? names : Object.keys(executables)) {
    const executable = executables[name]
    if (executable === undefined)
      throw new Error(`no executable ${name}; there are ${Object.keys(executables).join(', ')}`)
    if (names.length === 0 && !existsSync(join(root, executable.entry))) {
      console.log(`${name}: no ${executable.entry} yet`)
      continue
    }
    const file = await bundleEntry(executable.entry, outDir ?? executable.out, executable.lua)
    if (executable.page !== undefined) await bundlePage(executable.page, join(dirname(file), 'ui'))
    console.log(`${name}: ${relative(root, file)}`)
  }
}
