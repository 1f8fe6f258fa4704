// `kubewire lint`: what in the objects will surprise somebody.

import { printRef, refOf, withDefaultNamespace } from '@kubewire/kube-model'
import { type Command, defineCommand } from '../command.ts'
import { exitCode, InputError, UsageError } from '../exit-code.ts'
import { clusterFlags } from '../input/cluster-flags.ts'
import { isFindingsFormat, printFindings } from '../lint/print-findings.ts'
import { lintRules } from '../lint/registry.ts'
import { isFailing, runLint } from '../lint/run-lint.ts'
import { suppressionProblems } from '../lint/suppress-findings.ts'
import { isUnread, unreadFindings, unreadPath } from '../lint/unread-findings.ts'
import { reportProblems } from '../output.ts'
import { inputFlags, readInput } from '../read-input.ts'

const flags = {
  ...inputFlags,
  ...clusterFlags,
  skip: { kind: 'list', default: [], help: 'rules to leave out' },
  only: { kind: 'list', default: [], help: 'rules to run, and no others' },
  list: { kind: 'bool', default: false, help: 'list the rules instead' },
  output: { kind: 'string', default: 'text', help: 'text, json, sarif, github or junit', shorthand: 'o' },
} as const

/** The command. */
export const command: Command = defineCommand({
  usage: '-f FILE [flags]',
  flags,
  run: async ({ values, output }) => {
    if (values.list) {
      output.data(listRules(values.output))
      return exitCode.fine
    }
    const format = values.output
    if (!isFindingsFormat(format)) throw new UsageError('expected -o text, json, sarif, github or junit')
    for (const [flag, ids] of [
      ['--skip', values.skip],
      ['--only', values.only],
    ] as const) {
      const unknown = ids.find((id) => !lintRules.some((rule) => rule.id === id))
      if (unknown !== undefined)
        throw new UsageError(`expected ${flag} with names of rules, found ${JSON.stringify(unknown)}`)
    }
    const rules = lintRules.filter(
      ({ id }) => !values.skip.includes(id) && (values.only.length === 0 || values.only.includes(id)),
    )
    const input = await readInput(values, output).catch((error: unknown) => {
      // The message itself is printed by `main`; a machine reads the report only.
      if (error instanceof InputError && format !== 'text')
        output.data(printFindings([unreadPath(error.message)], format))
      throw error
    })
    const { whole = input, holds = () => true } = input.selected ?? {}
    const found = runLint(whole, rules, new Date().toISOString().slice(0, 10), (id) =>
      output.progress?.(`checking ${id}`),
    )
    const findings = found.filter(({ object }) => holds(object))
    const unreadOnes = format === 'text' ? [] : unreadFindings(input.problems)
    output.data(printFindings([...unreadOnes, ...findings], format))
    const setAside = findings.filter(({ suppression }) => suppression !== undefined).length
    if (setAside > 0)
      output.note(`${setAside} ${setAside === 1 ? 'finding is' : 'findings are'} set aside by annotations\n`)
    const unread = input.problems.filter(isUnread)
    // An object that is there twice is told as such.
    const objects = new Map(input.objects.map((object) => [printRef(refOf(withDefaultNamespace(object))), object]))
    const asides = suppressionProblems(
      [...objects.values()],
      lintRules.map(({ id }) => id),
    )
    const code = reportProblems(output, [...unread, ...asides])
    // A field that means nothing is a fault, though the rest of the object works.
    const isMistaken = unread.some((problem) => problem.code === 'CLI_UNKNOWN_FIELD')
    return code === exitCode.fine && (isMistaken || findings.some(isFailing)) ? exitCode.findings : code
  },
})

function listRules(format: string): string {
  if (format === 'json')
    return `${JSON.stringify(
      lintRules.map(({ check: _, ...rule }) => rule),
      null,
      2,
    )}\n`
  const width = Math.max(...lintRules.map(({ id }) => id.length)) + 3
  return lintRules.map(({ id, severity, summary }) => `${id.padEnd(width)}${severity.padEnd(10)}${summary}\n`).join('')
}
