// The manifest files below a folder. Hidden names are left out, and so is everything that only looks like a manifest to
// other tools (`kustomization.yaml`).

import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { isManifestName } from '@kubewire/kube-model/manifest'
import type { ManifestFile } from './manifest-set.ts'

/** Files larger than this many bytes are left out. */
const maxFileBytes: number = 64 * 1024 * 1024

/**
 * Reads every `*.yaml`, `*.yml` and `*.json`, in order of their paths. A folder that cannot be read is one unreadable
 * file of its own name, so that a mistyped path is told instead of served as an empty cluster.
 */
export async function readManifestDirectory(directory: string): Promise<ManifestFile[]> {
  try {
    await readdir(directory)
  } catch (error) {
    return [{ name: directory, kind: 'unreadable', reason: (error as Error).message }]
  }
  const paths = await listFiles(directory)
  const names = paths.map((path) => relative(directory, path).split(sep).join('/'))
  const wanted = names.filter(isManifestName).sort()
  return Promise.all(wanted.map((name) => readOne(directory, name)))
}

async function listFiles(directory: string): Promise<string[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true })
    const lists = await Promise.all(
      entries
        .filter(({ name }) => !name.startsWith('.'))
        .map((entry) => {
          const path = join(directory, entry.name)
          return entry.isDirectory() ? listFiles(path) : Promise.resolve([path])
        }),
    )
    return lists.flat()
  } catch {
    return []
  }
}

async function readOne(directory: string, name: string): Promise<ManifestFile> {
  const path = join(directory, name)
  try {
    const { size } = await stat(path)
    if (size > maxFileBytes) {
      return { name, kind: 'unreadable', reason: `expected at most ${maxFileBytes} bytes, found ${size}` }
    }
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path))
    return { name, kind: 'text', text }
  } catch (error) {
    const isText = error instanceof TypeError
    return { name, kind: 'unreadable', reason: isText ? 'expected UTF-8 text' : (error as Error).message }
  }
}
