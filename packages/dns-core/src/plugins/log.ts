// One line for each query after it was answered.

import { foldName, longestZone, type Name } from '../name.ts'
import { whenReady } from '../outcome.ts'
import { type ConfigureInput, definePlugin, type PluginDefinition } from '../plugin.ts'
import type { Query } from '../query.ts'
import { rcode } from '../record-types.ts'
import { emptyReply, type Reply } from '../reply.ts'
import { encodeReply } from '../wire/writer.ts'
import { sortReply } from './cache-item.ts'
import { commonFormat, formatLogLine } from './log-format.ts'
import { zoneList } from './zone-arguments.ts'

type LogClass = 'success' | 'denial' | 'error' | 'all'

interface LogRule {
  readonly zones: readonly Name[]
  readonly format: string
  readonly classes: readonly LogClass[]
}

export const log: PluginDefinition<readonly LogRule[]> = definePlugin({
  name: 'log',
  summary: 'Writes one line for each query.',
  syntax: '[NAMES...] [FORMAT]',
  args: { min: 0, max: Number.POSITIVE_INFINITY },
  properties: {
    class: { min: 1, max: 4, syntax: 'success|denial|error|all...', summary: 'Which replies are logged.' },
  },
  configure: (input) => input.directives.map((directive) => ruleOf(input, directive)),
  create: (rules, ports) => ({
    handle(query, context) {
      const name = foldName(query.name)
      const rule = rules.find((candidate) => longestZone(candidate.zones, name) !== undefined)
      if (rule === undefined) return context.next(query)
      const startMs = ports.nowMs()
      return whenReady(context.next(query), (outcome) => {
        const reply =
          outcome.kind === 'stream' ? outcome.replies[0] : outcome.kind === 'reply' ? outcome.reply : undefined
        const sent = outcome.kind === 'fail' ? { ...emptyReply, rcode: outcome.rcode } : reply
        if (isLogged(rule.classes, query, sent)) {
          const replyBytes = sent === undefined ? 0 : encodeReply(query, sent).length
          const facts = {
            query,
            reply: sent,
            replyBytes,
            durationMs: ports.nowMs() - startMs,
            metadata: context.metadata,
          }
          ports.log('info', formatLogLine(rule.format, facts))
        }
        return outcome
      })
    },
  }),
})

function ruleOf(input: ConfigureInput, directive: ConfigureInput['directives'][number]): LogRule {
  const formatAt = directive.args.findIndex((arg) => arg.text.includes('{'))
  const names = formatAt < 0 ? directive.args : directive.args.slice(0, formatAt)
  const words = (directive.block ?? []).flatMap((line) => line.args)
  const classes = words.flatMap((token): LogClass[] => {
    const { text } = token
    if (text === 'success' || text === 'denial' || text === 'error' || text === 'all') return [text]
    input.fail(`invalid class of request: ${text}`, token)
    return []
  })
  return {
    zones: names.length === 0 ? ['.'] : zoneList(input, names),
    format:
      formatAt < 0
        ? commonFormat
        : directive.args
            .slice(formatAt)
            .map((arg) => arg.text)
            .join(' '),
    classes: classes.length === 0 ? ['all'] : classes,
  }
}

function isLogged(classes: readonly LogClass[], query: Query, reply: Reply | undefined): boolean {
  return classes.includes('all') || (reply !== undefined && classes.includes(classOf(query, reply)))
}

function classOf(query: Query, reply: Reply): LogClass {
  switch (sortReply(query, reply)) {
    case 'success':
    case 'delegation':
      return 'success'
    case 'nodata':
    case 'nxdomain':
      return 'denial'
    case 'failure':
      return 'error'
    case 'other':
      return reply.rcode === rcode.NOERROR ? 'success' : 'error'
  }
}
