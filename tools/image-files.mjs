// The files of one daemon's image: `node tools/image-files.mjs NAME DIR` writes the bundle to DIR, beside it the optional
// native packages that the bundle finds in node_modules. Used by `deploy/*/Dockerfile` and by `image.mjs`.

import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundleEntry, executables } from './bundle-entry.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [name = '', dir = ''] = process.argv.slice(2)
  await writeImageFiles(name, dir)
}

/**
 * Writes the files.
 *
 * @param {string} name - a key of `executables`
 * @param {string} dir - emptied first
 */
export async function writeImageFiles(name, dir) {
  const executable = executables[name]
  if (executable === undefined || dir === '') throw new Error('usage: image-files.mjs NAME DIR')
  await bundleEntry(executable.entry, resolve(dir), executable.lua)
  const app = join(root, dirname(dirname(executable.entry)))
  const { optionalDependencies = {} } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'))
  for (const dependency of Object.keys(optionalDependencies)) copyPackage(app, dependency, join(dir, 'node_modules'))
}

/** Copies a package and those of its optional dependencies that are installed: the ones for this architecture. */
function copyPackage(from, name, modules) {
  const link = join(from, 'node_modules', name)
  if (!existsSync(link)) return console.log(`${name}: not installed, and not needed`)
  const home = realpathSync(link)
  mkdirSync(join(modules, dirname(name)), { recursive: true })
  cpSync(home, join(modules, name), {
    recursive: true,
    filter: (path) => !path.slice(home.length).includes('node_modules'),
  })
  const { optionalDependencies = {} } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  const store = home.slice(0, home.length - name.length)
  for (const native of Object.keys(optionalDependencies)) {
    if (existsSync(join(store, native)))
      cpSync(realpathSync(join(store, native)), join(modules, native), { recursive: true })
  }
}
