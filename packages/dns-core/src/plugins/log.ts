// One line for each query after it was answered (CoreDNS plugin/log).

import { absoluteName, foldName, isUnder, type Name } from '../name.ts'
import { type Outcome, whenReady } from '../outcome.ts'
import { type ConfigureInput, type Context, definePlugin, type PluginDefinition, type Ports } from '../plugin.ts'
import { type Query, questionBytes } from '../query.ts'
import { opcode, rcode, rrType } from '../record-types.ts'
import { emptyReply, type Reply } from '../reply.ts'
import { encodeReply, truncateReply } from '../wire/writer.ts'
import { combinedFormat, commonFormat, formatLogLine } from './log-format.ts'

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
    class: { min: 1, max: 99, syntax: 'success|denial|error|all...', summary: 'Which replies are logged.' },
  },
  configure: (input) => input.directives.map((directive) => ruleOf(input, directive)),
  create: (rules, ports) => ({
    handle(query, context) {
      const name = foldName(query.name)
      const rule = rules.find(({ zones }) => zones.some((zone) => isUnder(zone, name)))
      if (rule === undefined) return context.next(query)
      const startMs = ports.nowMs()
      return whenReady(context.next(query), (outcome) => {
        writeLine(rule, query, outcome, context, ports, startMs)
        return outcome
      })
    },
    metadata(_query, labels) {
      for (const label of ['log/type', 'log/class']) labels.set(label, () => '')
    },
  }),
})

/** COMPAT: one argument alone is a name, whatever it looks like; of several the last is a format when it has a brace. */
function ruleOf(input: ConfigureInput, directive: ConfigureInput['directives'][number]): LogRule {
  const words = directive.args.map(({ text }) => text)
  const last = words[words.length - 1] ?? ''
  const hasFormat = words.length > 1 && last.includes('{')
  const names = hasFormat ? words.slice(0, -1) : words
  const classes = (directive.block ?? [])
    .flatMap(({ args }) => args)
    .flatMap(({ text }): LogClass[] => {
      if (text === 'success' || text === 'denial' || text === 'error' || text === 'all') return [text]
      input.failPlain(`invalid Class: ${text}`)
      return []
    })
  return {
    zones: names.length === 0 ? ['.'] : names.map((name) => foldName(absoluteName(name))),
    format: hasFormat
      ? last.replaceAll('{common}', commonFormat).replaceAll('{combined}', combinedFormat)
      : commonFormat,
    classes: classes.length === 0 ? ['all'] : classes,
  }
}

function writeLine(
  rule: LogRule,
  query: Query,
  outcome: Outcome,
  context: Context,
  ports: Ports,
  startMs: number,
): void {
  const replies = repliesOf(outcome)
  const last = replies[replies.length - 1]
  const type = replyType(query, last)
  const logClass = classes[type]
  if (context.metadata.has('log/type')) {
    context.metadata.set('log/type', () => type)
    context.metadata.set('log/class', () => logClass)
  }
  if (!rule.classes.includes('all') && !rule.classes.includes(logClass)) return
  const asked = context.answeredBy.rewritten ?? query
  const facts = {
    // COMPAT: the question as rules of rewrite left it, under the name it came with.
    query: { ...asked, name: query.name, sizeBytes: loggedBytes(query, asked, outcome) },
    // The size rules come after this plugin; only their flag shows.
    reply: last && { ...last, truncated: truncateReply(query, last).truncated },
    replyBytes: replies.reduce((sum, reply) => sum + wholeLength(query, reply), 0),
    durationMs: ports.nowMs() - startMs,
    metadata: context.metadata,
  }
  ports.log('info', formatLogLine(rule.format, facts))
}

function repliesOf(outcome: Outcome): readonly Reply[] {
  switch (outcome.kind) {
    case 'stream':
      return outcome.replies
    case 'reply':
      return [outcome.reply]
    case 'fail':
      return [{ ...emptyReply, rcode: outcome.rcode }]
    case 'drop':
    case 'next':
      return []
  }
}

/**
 * Bytes of the question at the end. COMPAT: its OPT record went out with the reply if that had none, and lost the options
 * that nobody repeats on the way (CoreDNS request.SizeAndDo).
 */
function loggedBytes(query: Query, asked: Query, outcome: Outcome): number {
  const others = query.sizeBytes - questionBytes(query)
  const { edns } = asked
  if (edns === undefined || outcome.kind === 'fail' || outcome.kind === 'drop') return others + questionBytes(asked)
  const reply = outcome.kind === 'reply' ? outcome.reply : undefined
  const options = reply?.ednsOptions === undefined ? (reply?.repeatedOptions ?? []) : edns.options
  return others + questionBytes({ name: asked.name, edns: { ...edns, options } })
}

/** Bytes of a reply without compression, limit and the OPT record that the server adds. */
function wholeLength(query: Query, reply: Reply): number {
  const { edns: _edns, ...plain } = query
  const { repeatedOptions: _options, ...own } = reply
  return encodeReply({ ...plain, transport: 'tcp' }, own).length
}

const classes = {
  NOERROR: 'success',
  DELEGATION: 'success',
  NXDOMAIN: 'denial',
  NODATA: 'denial',
  SERVERERROR: 'error',
  META: 'error',
  OTHERERROR: 'error',
} as const

/** The sort of a reply by the words of the original (CoreDNS plugin/pkg/response). */
function replyType(query: Query, reply: Reply | undefined): keyof typeof classes {
  if (reply === undefined) return 'OTHERERROR'
  if (query.opcode === opcode.NOTIFY || query.type === rrType.AXFR || query.type === rrType.IXFR) return 'META'
  const hasAnswer = reply.answer.length > 0
  const has = (type: number): boolean => reply.authority.some((record) => record.type === type)
  switch (reply.rcode) {
    case rcode.NOERROR:
      if (hasAnswer) return 'NOERROR'
      return has(rrType.SOA) ? 'NODATA' : has(rrType.NS) ? 'DELEGATION' : 'NOERROR'
    case rcode.NXDOMAIN:
      return hasAnswer ? 'OTHERERROR' : 'NXDOMAIN'
    case rcode.SERVFAIL:
    case rcode.NOTIMP:
      return 'SERVERERROR'
    default:
      return 'OTHERERROR'
  }
}
