// Every manifest below a directory → the server.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { printProblem } from '@kubewire/kube-model'
import { parseManifests } from '@kubewire/kube-model/manifest'
import type { MiniApiServer } from '../mini-apiserver.ts'

/** Loads the directory once; the result says, a line each, what was left out. */
export function loadManifestDirectory(server: MiniApiServer, directory: string): string[] {
  const lines: string[] = []
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((name) => /\.(ya?ml|json)$/.test(name)).sort()) {
    const { placed, problems } = parseManifests(readFileSync(join(directory, file), 'utf8'), file)
    lines.push(...problems.map(printProblem))
    for (const { object, position } of placed) {
      try {
        server.apply(object)
      } catch (error) {
        lines.push(`${file}:${position.line}: ${(error as Error).message}`)
      }
    }
  }
  return lines
}
