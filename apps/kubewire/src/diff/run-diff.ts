// The three `diff` commands: two inputs, their effects, the differences.

import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'
import type { Output } from '../output.ts'
import { type Input, readFiles } from '../read-input.ts'
import { diffEffects, type Effect, printChanges } from './effect.ts'

/** The flags of every diff command. */
export const diffFlags = {
  recursive: { kind: 'bool', default: false, help: 'also read the subfolders of a folder', shorthand: 'R' },
  output: { kind: 'string', default: 'text', help: 'text, markdown or json', shorthand: 'o' },
} as const

/** Reads OLD and NEW, asks both, prints what differs; exit 1 when something does, 3 when something could not be read. */
export async function runDiff(
  args: readonly string[],
  values: { readonly recursive: boolean; readonly output: string },
  output: Output,
  effectsOf: (input: Input) => readonly Effect[] | Promise<readonly Effect[]>,
): Promise<ExitCode> {
  const [before, after] = args
  const format = values.output
  if (before === undefined || after === undefined || args.length > 2) throw new UsageError('expected OLD and NEW')
  if (format !== 'text' && format !== 'markdown' && format !== 'json') {
    throw new UsageError('expected -o text, markdown or json')
  }
  const effects: (readonly Effect[])[] = []
  let isUnreadable = false
  for (const path of [before, after]) {
    const input = await readFiles({ filename: [path], recursive: values.recursive }, output)
    // What is assumed is assumed on both sides; only what could not be read is worth a word here.
    for (const { code, message, position } of input.problems) {
      if (!code.startsWith('MODEL_')) continue
      isUnreadable = true
      output.note(`${position?.file ?? path}:${position?.line ?? 1}: ${message} (${code})\n`)
    }
    effects.push(await effectsOf(input))
  }
  const changes = diffEffects(effects[0] ?? [], effects[1] ?? [])
  output.data(printChanges(changes, format))
  if (isUnreadable) return exitCode.unreadable
  return changes.length > 0 ? exitCode.findings : exitCode.fine
}
