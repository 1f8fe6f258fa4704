// Lowers the size of UDP replies that clients advertise (RFC 6891), against fragmentation.

import { editReply, whenReady } from '../outcome.ts'
import { definePlugin, type PluginDefinition } from '../plugin.ts'
import { integerArgument } from './zone-arguments.ts'

export const bufsize: PluginDefinition<{ readonly bytes: number }> = definePlugin({
  name: 'bufsize',
  summary: 'Lowers the advertised size of UDP replies.',
  syntax: '[SIZE]',
  args: { min: 0, max: 1 },
  properties: {},
  configure(input) {
    const token = input.directives[0]?.args[0]
    const bytes = integerArgument(input, token) ?? 1232
    if (token !== undefined && (bytes < 512 || bytes > 4096)) {
      input.fail(`buffer size must be within 512 - 4096: ${bytes}`, token)
    }
    return { bytes }
  },
  create: ({ bytes }) => ({
    handle(query, context) {
      if (query.edns === undefined || query.edns.udpSize <= bytes) return context.next(query)
      const lowered = { ...query, edns: { ...query.edns, udpSize: bytes } }
      return whenReady(context.next(lowered), (outcome) => {
        if (outcome.kind === 'fail') return { ...outcome, udpSize: bytes }
        return editReply(outcome, (reply) => ({ ...reply, udpSize: bytes }))
      })
    },
  }),
})
