// Lowers the size of UDP replies that clients advertise (RFC 6891), against fragmentation.

import { editReply, whenReady } from '../outcome.ts'
import { definePlugin, type PluginDefinition } from '../plugin.ts'
import { integerProblem } from './zone-arguments.ts'

export const bufsize: PluginDefinition<{ readonly bytes: number }> = definePlugin({
  name: 'bufsize',
  summary: 'Lowers the advertised size of UDP replies.',
  syntax: '[SIZE]',
  args: { min: 0, max: 1 },
  properties: {},
  configure(input) {
    const token = input.directives[0]?.args[0]
    const bytes = token === undefined ? 1232 : Number(integerProblem(token.text, 'Atoi'))
    if (bytes >= 512 && bytes <= 4096) return { bytes }
    if (token !== undefined) input.fail(`Wrong argument count or unexpected line ending after '${token.text}'`, token)
    return { bytes: 1232 }
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
