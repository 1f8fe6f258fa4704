// `kubewire audit`: what a cluster uses of ingress-nginx, and what becomes of it here and elsewhere.

import { buildAudit } from '../audit/build-audit.ts'
import { printAudit } from '../audit/print-audit.ts'
import { type Command, defineCommand } from '../command.ts'
import { exitCode, UsageError } from '../exit-code.ts'
import { clusterFlags } from '../input/cluster-flags.ts'
import { ingressFlags, translateInput } from '../input/ingress-input.ts'
import { reportProblems } from '../output.ts'
import { inputFlags, readInput } from '../read-input.ts'

const flags = {
  ...inputFlags,
  ...clusterFlags,
  ...ingressFlags,
  output: { kind: 'string', default: 'markdown', help: 'markdown or json', shorthand: 'o' },
} as const

/** The command. An inventory is no verdict: it ends with 0 whatever it holds. */
export const command: Command = defineCommand({
  usage: '-f FILE [flags]',
  flags,
  run: async ({ values, output }) => {
    const format = values.output
    if (format !== 'markdown' && format !== 'json') throw new UsageError('expected -o markdown or json')
    const input = await readInput(values, output)
    const translation = translateInput(input.snapshot, values)
    output.data(printAudit(buildAudit(input.snapshot, translation, translation.value.options.configMap), format))
    // What is wrong with annotations and keys is in the inventory; only what could not be read is worth a word.
    const unread = input.problems.filter(({ code }) => code.startsWith('MODEL_') || code === 'CLI_OBJECT_SHAPE')
    return reportProblems(output, unread) === exitCode.unreadable ? exitCode.unreadable : exitCode.fine
  },
})
