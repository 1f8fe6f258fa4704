// Leaves the authority and additional sections of positive answers out.

import { replied, whenReady } from '../outcome.ts'
import { definePlugin, type PluginDefinition } from '../plugin.ts'
import { sortReply } from './cache-item.ts'

export const minimal: PluginDefinition<null> = definePlugin({
  name: 'minimal',
  summary: 'Drops authority and additional sections of positive answers.',
  syntax: '',
  args: { min: 0, max: 0 },
  properties: {},
  takesNoBlock: true,
  configure: () => null,
  create: () => ({
    handle(query, context) {
      return whenReady(context.next(query), (outcome) => {
        if (outcome.kind !== 'reply' || sortReply(query, outcome.reply) !== 'success') return outcome
        // COMPAT: an OPT record that the reply has of its own counts as an additional record.
        const { ednsOptions: _options, saysDnssecOk: _do, ednsSize: _size, ...rest } = outcome.reply
        return replied({ ...rest, authority: [], additional: [] })
      })
    },
  }),
})
