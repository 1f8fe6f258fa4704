// Answers ANY with a hint instead of everything (RFC 8482).

import { next, replied } from '../outcome.ts'
import { definePlugin, type PluginDefinition } from '../plugin.ts'
import { rrClass, rrType } from '../record-types.ts'
import { emptyReply } from '../reply.ts'

export const any: PluginDefinition<null> = definePlugin({
  name: 'any',
  summary: 'Answers ANY questions with a short HINFO record.',
  syntax: '',
  args: { min: 0, max: 0 },
  properties: {},
  takesNoBlock: true,
  configure: () => null,
  create: () => ({
    handle(query) {
      if (query.type !== rrType.ANY) return next
      const strings = ['ANY obsoleted', 'See RFC 8482']
      const data = { kind: 'text', strings } as const
      const answer = [{ name: query.name, type: rrType.HINFO, class: rrClass.IN, ttlSeconds: 8482, data }]
      return replied({ ...emptyReply, answer })
    },
    isTransparent: true,
  }),
})
