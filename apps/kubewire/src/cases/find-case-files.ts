// The scenario files of folders and paths, in order of their names.

import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { compareText } from '@kubewire/kube-model'
import { InputError } from '../exit-code.ts'

/**
 * Every YAML file below the folders, and the files themselves.
 *
 * @throws InputError when a path cannot be read or a folder holds none
 */
export async function findCaseFiles(paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const path of paths) {
    const info = await stat(path).catch((cause: unknown) => {
      throw new InputError(`expected a folder or file of scenarios at ${path}, there is none`, { cause })
    })
    const below = info.isDirectory() ? await filesBelow(path) : [path]
    if (below.length === 0)
      throw new InputError(`expected YAML files in ${path}, found none; --init writes a first one`)
    found.push(...below)
  }
  return found
}

async function filesBelow(dir: string): Promise<readonly string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('node_modules'))
    .sort(compareText)
}
