// `kubewire test`: scenarios of names, packets and requests, asked of the libraries and judged.

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findCaseFiles } from '../cases/find-case-files.ts'
import { firstCases } from '../cases/first-cases.ts'
import { type CaseResult, countProbes, isCasesFormat, printCases } from '../cases/print-cases.ts'
import { readCase } from '../cases/read-case.ts'
import { runCase } from '../cases/run-case.ts'
import { type Command, defineCommand } from '../command.ts'
import { type ExitCode, exitCode, InputError, UsageError } from '../exit-code.ts'
import type { Output } from '../output.ts'
import { readText } from '../read-input.ts'

const flags = {
  init: { kind: 'bool', default: false, help: 'write first scenarios into DIR instead (kubewire-tests unless given)' },
  output: { kind: 'string', default: 'tap', help: 'tap, junit or json', shorthand: 'o' },
} as const

/** The command. */
export const command: Command = defineCommand({
  usage: '[DIR…] [flags]',
  takesWords: true,
  flags,
  run: async ({ values, args, output }) => {
    const format = values.output
    if (!isCasesFormat(format)) throw new UsageError('expected -o tap, junit or json')
    const paths = args.length === 0 ? [defaultFolder] : args
    if (values.init) return writeFirstCases(paths, output)
    const results: CaseResult[] = []
    let hasFaults = false
    for (const path of await findCaseFiles(paths)) {
      const result = await runFile(path, output)
      hasFaults ||= result.isFaulty
      if (result.result !== undefined) results.push(result.result)
    }
    output.data(printCases(results, format))
    if (hasFaults) return exitCode.unreadable
    return countProbes(results).failed > 0 ? exitCode.findings : exitCode.fine
  },
})

const defaultFolder = 'kubewire-tests'

interface FileRun {
  readonly result?: CaseResult
  /** The file could not be read as a scenario. */
  readonly isFaulty: boolean
}

async function runFile(path: string, output: Output): Promise<FileRun> {
  output.progress?.(`running ${path}`)
  const text = await readText(path, output)
  if (isManifest(text)) return { isFaulty: false }
  const read = readCase(path, text)
  const faults = 'faults' in read ? read.faults : []
  for (const fault of faults) output.note(`${fault}\n`)
  if ('faults' in read) return { result: unreadable(path, faults.join('\n')), isFaulty: true }
  try {
    return { result: await runCase(read, output), isFaulty: false }
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    output.note(`${error.message}\n`)
    return { result: unreadable(path, error.message), isFaulty: true }
  }
}

// Manifests may lie beside the scenarios that name them.
function isManifest(text: string): boolean {
  return /^apiVersion:/m.test(text) && /^kind:/m.test(text)
}

function unreadable(path: string, detail: string): CaseResult {
  return { path, probes: [{ probe: 'file', outcome: 'failed', detail }], durationMs: 0 }
}

async function writeFirstCases(paths: readonly string[], output: Output): Promise<ExitCode> {
  const [dir = defaultFolder, ...more] = paths
  if (more.length > 0) throw new UsageError('expected --init with one DIR')
  for (const [name, text] of Object.entries(firstCases)) {
    const path = join(dir, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw new UsageError(`expected no file at ${path}, there is one`)
      throw error
    })
    output.data(`${path}\n`)
  }
  output.note(`kubewire test ${dir} runs them\n`)
  return exitCode.fine
}
