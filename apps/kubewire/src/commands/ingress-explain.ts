// `kubewire ingress explain`: one request through the configuration that the objects mean, or through a real nginx.conf.

import type { Problem } from '@kubewire/kube-model'
import { parseConfig, renderConfig, simulateRequest, sourceTree } from '@kubewire/nginx-gen'
import { explainAnswer, requestOf } from '../ask-request.ts'
import { clusterFlags } from '../cluster-flags.ts'
import { type Command, defineCommand } from '../command.ts'
import { exitCode } from '../exit-code.ts'
import { ingressFlags, translateInput } from '../ingress-input.ts'
import { reportProblems, writeExplanation } from '../output.ts'
import { inputFlags, readInput, readText } from '../read-input.ts'
import { simulateIngress } from '../simulate-ingress.ts'

const flags = {
  ...inputFlags,
  ...clusterFlags,
  ...ingressFlags,
  header: { kind: 'array', default: [], help: "request header 'Name: value'; may be repeated", shorthand: 'H' },
  from: { kind: 'string', default: '192.0.2.99', help: 'address of the client' },
  config: { kind: 'string', default: '', help: 'ask this nginx.conf instead: a file or -' },
  output: { kind: 'string', default: 'text', help: 'text or json', shorthand: 'o' },
} as const

/** The command. */
export const command: Command = defineCommand({
  usage: '[METHOD] URL (-f FILE | --config FILE) [flags]',
  takesWords: true,
  flags,
  run: async ({ values, args, output }) => {
    const request = requestOf(args, values.header, values.from)
    if (values.config !== '') {
      const { value: tree, problems } = parseConfig(await readText(values.config, output), values.config)
      writeExplanation(output, values.output, explainAnswer(request, simulateRequest(tree, request)))
      return notesOnly(reportProblems(output, problems))
    }
    const input = await readInput(values, output)
    const { value: model, problems } = translateInput(input.snapshot, values)
    const trace = simulateIngress(model, request, sourceTree(renderConfig(model)))
    writeExplanation(output, values.output, explainAnswer(request, trace, model))
    const about: readonly Problem[] = [...input.problems, ...problems]
    return notesOnly(reportProblems(output, about))
  },
})

// The question was answered whatever else is wrong with the objects: problems are notes, not findings.
function notesOnly(code: ReturnType<typeof reportProblems>): ReturnType<typeof reportProblems> {
  return code === exitCode.findings ? exitCode.fine : code
}
