// Tells clients their own address, port and protocol.

import { replied } from '../outcome.ts'
import { definePlugin, type PluginDefinition } from '../plugin.ts'
import { addressRecord, srvRecord } from '../record.ts'
import { authoritativeReply } from '../reply.ts'

export const whoami: PluginDefinition<null> = definePlugin({
  name: 'whoami',
  summary: 'Tells clients their own address and port.',
  syntax: '',
  args: { min: 0, max: 0 },
  properties: {},
  takesNoBlock: true,
  configure: () => null,
  create: () => ({
    handle(query) {
      const address = { ...addressRecord(query.name, 0, query.client.address), class: query.class }
      const transport = query.transport === 'udp' ? 'udp' : 'tcp'
      const owner = query.name === '.' ? `_${transport}.` : `_${transport}.${query.name}`
      const port = { ...srvRecord(owner, 0, 0, query.client.port, '.'), class: query.class }
      return replied(authoritativeReply([], [address, port]))
    },
  }),
})
