// A deadline for every query.

import { parseGoDuration } from '@kubewire/kube-model'
import { failed, type Outcome } from '../outcome.ts'
import { definePlugin, type PluginDefinition } from '../plugin.ts'
import { rcode } from '../record-types.ts'

export const cancel: PluginDefinition<{ readonly timeoutMs: number }> = definePlugin({
  name: 'cancel',
  summary: 'Ends queries that take too long.',
  syntax: '[TIMEOUT]',
  args: { min: 0, max: 1 },
  properties: {},
  configure(input) {
    const token = input.directives[0]?.args[0]
    const timeoutMs = parseGoDuration(token?.text ?? '5001ms')
    if (token !== undefined && timeoutMs === undefined)
      input.failPlain(`invalid duration: ${JSON.stringify(token.text)}`)
    if (token !== undefined && timeoutMs !== undefined && timeoutMs <= 0) {
      input.failPlain(`invalid negative duration: ${JSON.stringify(token.text)}`)
    }
    return { timeoutMs: timeoutMs ?? 5001 }
  },
  create: ({ timeoutMs }, ports) => ({
    isTransparent: true,
    handle(query, context) {
      const outcome = context.next(query)
      if (!(outcome instanceof Promise)) return outcome
      return new Promise<Outcome>((resolve, reject) => {
        const stop = ports.schedule(timeoutMs, () => resolve(failed(rcode.SERVFAIL, 'context deadline exceeded')))
        outcome.then(
          (value) => {
            stop()
            resolve(value)
          },
          (cause: unknown) => {
            stop()
            reject(cause)
          },
        )
      })
    },
  }),
})
