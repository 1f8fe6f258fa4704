// `kubewire lint`: what in the objects will surprise somebody.

import { clusterFlags } from '../cluster-flags.ts'
import { type Command, defineCommand } from '../command.ts'
import { exitCode, UsageError } from '../exit-code.ts'
import { printFindings } from '../lint/print-findings.ts'
import { lintRules } from '../lint/registry.ts'
import { reportProblems } from '../output.ts'
import { inputFlags, readInput } from '../read-input.ts'

const flags = {
  ...inputFlags,
  ...clusterFlags,
  skip: { kind: 'list', default: [], help: 'rules to leave out' },
  rules: { kind: 'bool', default: false, help: 'list the rules instead' },
  output: { kind: 'string', default: 'text', help: 'text, json or github', shorthand: 'o' },
} as const

/** The command. */
export const command: Command = defineCommand({
  usage: '-f FILE [flags]',
  flags,
  run: async ({ values, output }) => {
    if (values.rules) {
      const width = Math.max(...lintRules.map(({ id }) => id.length)) + 3
      output.data(lintRules.map(({ id, summary }) => `${id.padEnd(width)}${summary}\n`).join(''))
      return exitCode.fine
    }
    const format = values.output
    if (format !== 'text' && format !== 'json' && format !== 'github')
      throw new UsageError('expected -o text, json or github')
    const unknown = values.skip.find((id) => !lintRules.some((rule) => rule.id === id))
    if (unknown !== undefined)
      throw new UsageError(`expected --skip with names of rules, found ${JSON.stringify(unknown)}`)
    const input = await readInput(values, output)
    const findings = lintRules
      .filter(({ id }) => !values.skip.includes(id))
      .flatMap(({ id, severity, check }) => check(input.snapshot).map((one) => ({ rule: id, severity, ...one })))
    output.data(printFindings(findings, format))
    // Assumptions were made for the rules' sake; only what could not be read is worth a word.
    const code = reportProblems(
      output,
      input.problems.filter(({ code: known }) => known.startsWith('MODEL_')),
    )
    return code === exitCode.fine && findings.length > 0 ? exitCode.findings : code
  },
})
