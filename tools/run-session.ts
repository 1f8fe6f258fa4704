// Sessions of a terminal as text: each `$ command` with what it prints, standard error included, and `(exit N)` where it
// is not 0. `check-examples.ts` runs them again and compares.

import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Whether a text is a session. */
export function isSession(text: string): boolean {
  return text.startsWith('$ ')
}

/** The commands of a session, in order. */
export function sessionCommands(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('$ '))
    .map((line) => line.slice(2))
}

/** Where commands run. */
export interface SessionPlace {
  readonly cwd: string
  /** A folder of its own for each session: holds the program, and what `$NEW` names. */
  readonly scratch: string
  /** The bundle that `kubewire` stands for. */
  readonly kubewire: string
}

/** Runs the commands of a session one after the other; the session as it should be written. */
export async function runSession(text: string, place: SessionPlace): Promise<string> {
  const bin = join(place.scratch, 'bin')
  mkdirSync(bin, { recursive: true })
  const shim = join(bin, 'kubewire')
  writeFileSync(shim, `#!/bin/sh\nexec "${process.execPath}" "${place.kubewire}" "$@"\n`)
  chmodSync(shim, 0o755)
  const parts: string[] = []
  for (const command of sessionCommands(text)) {
    const { output, status } = await runCommand(command, bin, place)
    const end = status === 0 ? '' : `(exit ${status})\n`
    parts.push(`$ ${command}\n${output}${output === '' || output.endsWith('\n') ? '' : '\n'}${end}`)
  }
  return parts.join('\n')
}

function runCommand(
  command: string,
  bin: string,
  { cwd, scratch }: SessionPlace,
): Promise<{ readonly output: string; readonly status: number | null }> {
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}`, NEW: join(scratch, 'new'), NO_COLOR: '1' }
  return new Promise((resolve, reject) => {
    // `exec 2>&1` keeps both outputs in the order in which they were written.
    const child = spawn('sh', ['-c', `exec 2>&1\n${command}`], { cwd, env, timeout: 30_000 })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
    child.once('error', reject)
    child.once('close', (status) => resolve({ output, status }))
  })
}
