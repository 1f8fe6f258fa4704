// Sets and clears flags of questions and replies.

import { editReply } from '../outcome.ts'
import { definePlugin, type PluginDefinition } from '../plugin.ts'
import type { Query } from '../query.ts'
import type { Reply } from '../reply.ts'

type Flag = 'aa' | 'ra' | 'rd'

interface FlagRule {
  readonly on: 'query' | 'response'
  readonly flag: Flag
  readonly value: boolean
}

export const header: PluginDefinition<readonly FlagRule[]> = definePlugin({
  name: 'header',
  summary: 'Sets or clears the flags aa, ra and rd.',
  syntax: '',
  args: { min: 0, max: 0 },
  properties: {
    query: { min: 2, max: 9, syntax: 'set|clear FLAG...', summary: 'Flags of the question.' },
    response: { min: 2, max: 9, syntax: 'set|clear FLAG...', summary: 'Flags of the reply.' },
  },
  configure(input) {
    return input.directives.flatMap((directive) =>
      (directive.block ?? []).flatMap((line): FlagRule[] => {
        const [action, ...flags] = line.args
        const verb = action?.text.toLowerCase()
        if (verb !== 'set' && verb !== 'clear') {
          input.fail(`unknown flag action=${verb}, should be set or clear`, line.end)
        }
        return flags.flatMap(({ text }): FlagRule[] => {
          const flag = text.toLowerCase()
          const on = line.name.text === 'query' ? 'query' : 'response'
          if (flag === 'aa' || flag === 'ra' || flag === 'rd') return [{ on, flag, value: verb === 'set' }]
          input.fail(`unknown/unsupported flag=${flag}`, line.end)
          return []
        })
      }),
    )
  },
  create: (rules) => ({
    handle(query, context) {
      const queryRules = rules.filter((rule) => rule.on === 'query')
      const responseRules = rules.filter((rule) => rule.on === 'response')
      const asked = queryRules.reduce(applyToQuery, query)
      // A reply copies RD of the question as the plugins behind this one saw it.
      const rd = asked.recursionDesired === query.recursionDesired ? {} : { recursionDesired: asked.recursionDesired }
      return editReply(context.next(asked), (reply) => responseRules.reduce(applyToReply, { ...reply, ...rd }))
    },
  }),
})

function applyToQuery(query: Query, { flag, value }: FlagRule): Query {
  return flag === 'rd' ? { ...query, recursionDesired: value } : query
}

function applyToReply(reply: Reply, { flag, value }: FlagRule): Reply {
  switch (flag) {
    case 'aa':
      return { ...reply, authoritative: value }
    case 'ra':
      return { ...reply, recursionAvailable: value }
    case 'rd':
      return { ...reply, recursionDesired: value }
  }
}
