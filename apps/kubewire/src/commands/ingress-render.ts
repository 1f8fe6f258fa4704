// `kubewire ingress render`: Ingresses → nginx.conf.

import { printConfig, renderConfig } from '@kubewire/nginx-gen'
import { clusterFlags } from '../cluster-flags.ts'
import { type Command, defineCommand } from '../command.ts'
import { UsageError } from '../exit-code.ts'
import { ingressFlags, translateInput } from '../ingress-input.ts'
import { reportProblems } from '../output.ts'
import { inputFlags, readInput } from '../read-input.ts'

const flags = {
  ...inputFlags,
  ...clusterFlags,
  ...ingressFlags,
  output: { kind: 'string', default: 'text', help: 'text (nginx.conf) or json (servers, backends)', shorthand: 'o' },
} as const

/** The command. */
export const command: Command = defineCommand({
  usage: '-f FILE [flags]',
  flags,
  run: async ({ values, output }) => {
    if (!['text', 'json'].includes(values.output)) throw new UsageError('expected -o text or -o json')
    const input = await readInput(values, output)
    const { value: model, problems } = translateInput(input.snapshot, values)
    if (values.output === 'text') output.data(printConfig(renderConfig(model)))
    else {
      const { servers, backends, wwwRedirects, stream } = model
      output.data(
        `${JSON.stringify({ servers, backends, wwwRedirects, stream, tlsHosts: model.tls.hosts }, null, 2)}\n`,
      )
    }
    return reportProblems(output, [...input.problems, ...problems])
  },
})
