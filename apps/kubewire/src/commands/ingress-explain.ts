// `kubewire ingress explain`: one request through the configuration that the objects mean, or through a real nginx.conf.

import type { Problem } from '@kubewire/kube-model'
import { parseConfig, renderConfig, simulateRequest, sourceTree } from '@kubewire/nginx-gen'
import { explainAnswer, requestOf } from '../ask-request.ts'
import { clusterFlags } from '../cluster-flags.ts'
import { type Command, defineCommand } from '../command.ts'
import { ingressFlags, translateInput } from '../ingress-input.ts'
import { noEndpointReason } from '../no-endpoint-reason.ts'
import { reportExplained } from '../output.ts'
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
      return reportExplained(output, values.output, explainAnswer(request, simulateRequest(tree, request)), problems)
    }
    const input = await readInput(values, output)
    const { value: model, problems } = translateInput(input.snapshot, values)
    const trace = simulateIngress(model, request, sourceTree(renderConfig(model)))
    const about: readonly Problem[] = [...input.problems, ...problems]
    const explanation = explainAnswer(request, trace, model)
    const steps = [...(explanation.steps ?? []), ...noEndpointReason(input.snapshot, model, trace)]
    return reportExplained(output, values.output, { ...explanation, steps }, about)
  },
})
