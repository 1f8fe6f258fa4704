// Sets and clears flags of questions and replies.

import type { Directive } from '../corefile/directive.ts'
import { editReply, whenReady } from '../outcome.ts'
import { type ConfigureInput, definePlugin, type PluginDefinition } from '../plugin.ts'
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
  checksItself: true,
  // COMPAT: the first directive with rules is the only one that counts (CoreDNS plugin/header/setup.go).
  configure(input) {
    for (const { block = [] } of input.directives) {
      if (block.length > 0) return block.flatMap((line) => rulesOfLine(input, line))
    }
    const last = input.directives[input.directives.length - 1]
    if (last !== undefined)
      input.fail(`Wrong argument count or unexpected line ending after '${last.end.text}'`, last.end)
    return []
  },
  create: (rules) => ({
    handle(query, context) {
      const queryRules = rules.filter((rule) => rule.on === 'query')
      const responseRules = rules.filter((rule) => rule.on === 'response')
      const asked = queryRules.reduce(applyToQuery, query)
      // A reply copies RD of the question as the plugins behind this one saw it.
      const rd = asked.recursionDesired === query.recursionDesired ? {} : { recursionDesired: asked.recursionDesired }
      return whenReady(context.next(asked), (outcome) => {
        if (outcome.kind === 'fail') return { ...outcome, ...rd }
        return editReply(outcome, (reply) => responseRules.reduce(applyToReply, { ...reply, ...rd }))
      })
    },
  }),
})

function rulesOfLine(input: ConfigureInput, { name, args }: Directive): FlagRule[] {
  const fail = (text: string): FlagRule[] => {
    input.failPlain(`setting up rule: ${text}`)
    return []
  }
  const on = name.text.toLowerCase()
  if (on !== 'query' && on !== 'response') return fail(`invalid selector=${on} should be query or response`)
  const [action, ...flags] = args
  if (action === undefined) return fail('no flag action provided')
  if (flags.length === 0) return fail('invalid length for flags, at least one should be provided')
  const verb = action.text.toLowerCase()
  if (verb !== 'set' && verb !== 'clear') return fail(`unknown flag action=${verb}, should be set or clear`)
  return flags.flatMap(({ text }): FlagRule[] => {
    const flag = text.toLowerCase()
    if (flag === 'aa' || flag === 'ra' || flag === 'rd') return [{ on, flag, value: verb === 'set' }]
    return fail(`unknown/unsupported flag=${flag}`)
  })
}

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
