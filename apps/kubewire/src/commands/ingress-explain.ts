// `kubewire ingress explain`: one request through the configuration that the objects mean, or through a real nginx.conf.

import type { Explanation, Problem } from '@kubewire/kube-model'
import {
  type ConfigTree,
  explainRequest,
  type Model,
  parseConfig,
  renderConfig,
  type SimulatedRequest,
  simulateRequest,
  sourceTree,
} from '@kubewire/nginx-gen'
import { clusterFlags } from '../cluster-flags.ts'
import { type Command, defineCommand } from '../command.ts'
import { exitCode, UsageError } from '../exit-code.ts'
import { explainDataPlane } from '../ingress-backend.ts'
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
      writeExplanation(output, values.output, explain(tree, request, undefined))
      return notesOnly(reportProblems(output, problems))
    }
    const input = await readInput(values, output)
    const { value: model, problems } = translateInput(input.snapshot, values)
    writeExplanation(output, values.output, explain(renderConfig(model), request, model))
    const about: readonly Problem[] = [...input.problems, ...problems]
    return notesOnly(reportProblems(output, about))
  },
})

// The question was answered whatever else is wrong with the objects: problems are notes, not findings.
function notesOnly(code: ReturnType<typeof reportProblems>): ReturnType<typeof reportProblems> {
  return code === exitCode.findings ? exitCode.fine : code
}

function explain(tree: ConfigTree, request: SimulatedRequest, model: Model | undefined): Explanation {
  const trace = model === undefined ? simulateRequest(tree, request) : simulateIngress(model, request, sourceTree(tree))
  const explanation = explainRequest(trace)
  const upstream = trace.outcome.kind === 'proxy' ? trace.outcome.upstream : undefined
  const behind = model === undefined ? [] : explainDataPlane(model, upstream, request)
  const { scheme = 'http', method = 'GET', host, path = '/' } = request
  return {
    ...explanation,
    where: `${method} ${scheme}://${host}${path}`,
    steps: [...(explanation.steps ?? []), ...behind],
  }
}

function requestOf(args: readonly string[], headers: readonly string[], clientAddress: string): SimulatedRequest {
  const [first = '', second] = args
  const [method, text] = second === undefined ? ['GET', first] : [first.toUpperCase(), second]
  const [, scheme, host, path = '/'] = /^(https?):\/\/([^/?#]+)([/?].*)?$/i.exec(text) ?? []
  if (scheme === undefined || host === undefined || args.length > 2) {
    throw new UsageError(
      `expected [METHOD] URL such as GET https://shop.example.org/, found ${JSON.stringify(args.join(' '))}`,
    )
  }
  return {
    scheme: scheme.toLowerCase() === 'https' ? 'https' : 'http',
    host,
    path: path.startsWith('/') ? path : `/${path}`,
    method,
    headers: Object.fromEntries(headers.map(headerOf)),
    clientAddress,
  }
}

function headerOf(text: string): [string, string] {
  const [, name, value = ''] = /^([^:\s]+)\s*:\s*(.*)$/.exec(text) ?? []
  if (name === undefined) throw new UsageError(`expected -H 'Name: value', found ${JSON.stringify(text)}`)
  return [name, value]
}
