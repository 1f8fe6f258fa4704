// The files of the page, as the bundler leaves them beside the program. Read once; nothing else is ever served.

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { InputError } from '../../exit-code.ts'

/** One file. */
export interface PageFile {
  readonly path: string
  readonly contentType: string
  readonly body: string
}

const files: readonly (readonly [path: string, name: string, contentType: string])[] = [
  ['/', 'index.html', 'text/html; charset=utf-8'],
  ['/page.js', 'page.js', 'text/javascript; charset=utf-8'],
  ['/worker.js', 'worker.js', 'text/javascript; charset=utf-8'],
  ['/page.css', 'page.css', 'text/css; charset=utf-8'],
  ['/icon.svg', 'icon.svg', 'image/svg+xml'],
]

// The program is one file or a chunk in a folder below it.
const folders = ['./ui/', '../ui/'].map((path) => fileURLToPath(new URL(path, import.meta.url)))

/**
 * Reads the files of the page.
 *
 * @throws InputError when the program was not bundled with them
 */
export async function readPageFiles(): Promise<readonly PageFile[]> {
  for (const folder of folders) {
    const bodies = await Promise.all(
      files.map(([, name]) => readFile(`${folder}${name}`, 'utf8').catch(() => undefined)),
    )
    if (bodies.every((body) => body !== undefined)) {
      return files.map(([path, , contentType], at) => ({ path, contentType, body: bodies[at] ?? '' }))
    }
  }
  throw new InputError(`expected the files of the page in ${folders[0]}; 'node tools/bundle.mjs kubewire' makes them`)
}
