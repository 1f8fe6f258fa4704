// `kubewire ingress explain`: one request through the configuration that the objects mean, or through a real nginx.conf.

import { type ClusterSnapshot, emptySnapshot, type Problem, printProblem } from '@kubewire/kube-model'
import {
  type ConfigTree,
  checkConfig,
  parseConfig,
  renderConfig,
  simulateRequest,
  sourceTree,
} from '@kubewire/nginx-gen'
import { explainAnswer, requestOf } from '../ask/ask-request.ts'
import { parsePlace } from '../ask/proxy-place.ts'
import { simulateIngress } from '../ask/simulate-ingress.ts'
import { type Command, defineCommand } from '../command.ts'
import { InputError } from '../exit-code.ts'
import { noEndpointReason } from '../hints/no-endpoint-reason.ts'
import { unservedHost } from '../hints/unserved-host.ts'
import { clusterFlags } from '../input/cluster-flags.ts'
import { ingressFlags, translateInput } from '../input/ingress-input.ts'
import { reportExplained } from '../output.ts'
import { inputFlags, readInput, readText } from '../read-input.ts'

const flags = {
  ...inputFlags,
  ...clusterFlags,
  ...ingressFlags,
  header: { kind: 'array', default: [], help: "request header 'Name: value'; may be repeated", shorthand: 'H' },
  from: { kind: 'string', default: '192.0.2.99', help: 'the client: an address, pod/NAMESPACE/NAME or node/NAME' },
  config: { kind: 'string', default: '', help: 'ask this nginx.conf instead: a file or -' },
  output: { kind: 'string', default: 'text', help: 'text or json', shorthand: 'o' },
} as const

/** The command. */
export const command: Command = defineCommand({
  usage: '[METHOD] URL (-f FILE | --config FILE) [flags]',
  takesWords: true,
  flags,
  run: async ({ values, args, output }) => {
    if (values.config !== '') {
      const request = requestOf(args, values.header, clientOf(values.from, emptySnapshot))
      const { value: tree, problems } = parseConfig(await readText(values.config, output), values.config)
      checkReadable(values.config, tree, problems)
      return reportExplained(output, values.output, explainAnswer(request, simulateRequest(tree, request)), [
        ...problems,
        ...doubtsAbout(values.config, tree),
      ])
    }
    const input = await readInput(values, output)
    const request = requestOf(args, values.header, clientOf(values.from, input.snapshot))
    const translation = translateInput(input.snapshot, values)
    const { value: model, problems } = translation
    const trace = simulateIngress(model, request, sourceTree(renderConfig(model)))
    const about: readonly Problem[] = [...input.problems, ...problems]
    const explanation = explainAnswer(request, trace, model)
    const steps = [
      ...(explanation.steps ?? []),
      ...noEndpointReason(input.snapshot, model, trace),
      ...unservedHost(input.snapshot, translation, request.host),
    ]
    return reportExplained(output, values.output, { ...explanation, steps }, about)
  },
})

function clientOf(from: string, snapshot: ClusterSnapshot): string {
  return parsePlace(from, snapshot).ip.text
}

/** Lines that nginx as we know it refuses; a module that we do not know may take them. */
function doubtsAbout(file: string, tree: ConfigTree): readonly Problem[] {
  return checkConfig(tree).map((problem) => ({
    ...problem,
    severity: 'warning',
    object: { kind: 'File', name: file },
    fallback: 'without a module that knows it nginx would refuse the file',
    ...(problem.position === undefined ? {} : { position: { ...problem.position, file } }),
  }))
}

/** An nginx that cannot read its configuration does not start: there is no answer to explain. */
function checkReadable(path: string, tree: ConfigTree, problems: readonly Problem[]): void {
  // Further ones are often consequences of the first.
  const error = problems.find(({ severity }) => severity === 'error')
  if (error !== undefined) throw new InputError(printProblem(error))
  if (tree.some((node) => node.kind === 'block' && node.name === 'http')) return
  throw new InputError(
    `${path}: expected an nginx.conf with an http block, found ${tree.length === 0 ? 'nothing' : 'none'}`,
  )
}
