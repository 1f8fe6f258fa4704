// Every place that names our version names the same one; a release changes them all (next-version.mjs).

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { versionedFiles } from './next-version.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { version } = JSON.parse(readFileSync(join(root, 'apps/kubewire/package.json'), 'utf8')) as { version: string }

it.each(versionedFiles)('%s names the version of package.json', (path) => {
  const [major, minor] = version.split('.')
  const places = readFileSync(join(root, path), 'utf8').match(/(?<![\w.])0?\d+\.\d+(?:\.\d+)?(?![\w.])/g) ?? []
  expect(places.some((found) => found === version || found === `${major}.${minor}`)).toBe(true)
})
