// Rewrites questions on their way in and undoes it in replies.

import { foldName, isValidName } from '../name.ts'
import { type Eventually, failed, type Outcome, replied, whenReady } from '../outcome.ts'
import { type Context, definePlugin, type PluginDefinition } from '../plugin.ts'
import { type EdnsOption, followingAlias, hasTooManyAliases, type Query, questionBytes } from '../query.ts'
import { nameRecord, targetOf } from '../record.ts'
import { rcode, rrType } from '../record-types.ts'
import { failureReply, type Reply } from '../reply.ts'
import { rewriteRule } from './rewrite-config.ts'
import { type ReplyRule, type RewriteRule, type RuleEffect, revertReply } from './rewrite-rules.ts'

interface RewriteConfig {
  readonly rules: readonly RewriteRule[]
}

export const rewrite: PluginDefinition<RewriteConfig> = definePlugin({
  name: 'rewrite',
  summary: 'Rewrites questions and undoes it in replies.',
  syntax: '[continue|stop] FIELD [TYPE] FROM TO [OPTIONS]',
  args: { min: 0, max: Number.POSITIVE_INFINITY },
  properties: undefined,
  configure: (input) => ({ rules: input.directives.map((directive) => rewriteRule(input, directive)) }),
  create: ({ rules }) => ({ handle: (query, context) => rewriteAndAsk(rules, query, context) }),
})

function rewriteAndAsk(rules: readonly RewriteRule[], query: Query, context: Context): Eventually<Outcome> {
  const replyRules: ReplyRule[] = []
  const undone: NonNullable<RuleEffect['undoneOption']>[] = []
  let asked = query
  let isDone = false
  for (const rule of rules) {
    const effect = rule.apply(asked, context.metadata)
    if (effect === undefined) continue
    if (!isValidName(effect.query.name)) {
      return failed(rcode.SERVFAIL, `invalid name after rewrite: ${effect.query.name}`)
    }
    asked = effect.query
    replyRules.push(...effect.replyRules)
    if (effect.undoneOption !== undefined) undone.unshift(effect.undoneOption)
    isDone = rule.mode === 'stop' && effect.isIgnored !== true
    if (isDone) break
  }
  if (asked !== query) {
    asked = { ...asked, sizeBytes: query.sizeBytes + questionBytes(asked) - questionBytes(query) }
    context.answeredBy.rewritten = asked
  }
  const repeated = repeatedOptions(rules, query, asked, undone)
  const isReverting = replyRules.length > 0 || undone.length > 0 || isDone
  if (!isReverting && repeated === undefined) return context.next(asked)
  return whenReady(context.next(asked), (outcome) => {
    if (outcome.kind === 'drop' || outcome.kind === 'next') return outcome
    if (outcome.kind === 'stream') {
      return { kind: 'stream', replies: outcome.replies.map((reply) => revertReply(reply, replyRules)) }
    }
    if (outcome.kind === 'fail' && !isReverting) {
      return repeated === undefined ? outcome : { ...outcome, repeatedOptions: repeated }
    }
    // A failure becomes a reply here, so that rules for codes see it.
    const reply = outcome.kind === 'reply' ? outcome.reply : failureOf(outcome, asked, repeated, context)
    return whenReady(rewriteTargets(reply, replyRules, asked, context), (whole) =>
      replied(withOptions(revertReply(whole, replyRules), repeated, query, asked)),
    )
  })
}

/**
 * Options that rules set and replies show. COMPAT: the original takes the OPT record of the question, as its rules left
 * it, into replies that have none, with the options that some rule named (CoreDNS request.SizeAndDo).
 */
function repeatedOptions(
  rules: readonly RewriteRule[],
  query: Query,
  { edns }: Query,
  undone: readonly NonNullable<RuleEffect['undoneOption']>[],
): readonly EdnsOption[] | undefined {
  if (edns === undefined || edns === query.edns) return undefined
  const left = undone.reduce<readonly EdnsOption[]>((options, { code, before }) => {
    const at = options.findIndex((option) => option.code === code)
    return options.flatMap((option, i) => (i === at ? (before === undefined ? [] : [before]) : [option]))
  }, edns.options)
  return left.filter(({ code }) => rules.some((rule) => rule.repeats === code))
}

/** COMPAT: an asker without EDNS counts as one that takes the size of the OPT record which a rule made. */
function withOptions(
  reply: Reply,
  options: readonly EdnsOption[] | undefined,
  query: Query,
  { edns: made }: Query,
): Reply {
  if (options === undefined) return reply
  const size = query.edns === undefined && made !== undefined ? { udpSize: made.udpSize } : {}
  return { ...reply, repeatedOptions: options, ...size }
}

/** COMPAT: the reply made of a failure has the OPT record of the question at once, not only on its way out. */
function failureOf(
  outcome: Outcome & { readonly kind: 'fail' },
  asked: Query,
  repeated: readonly EdnsOption[] | undefined,
  context: Context,
): Reply {
  const reply = failureReply(outcome)
  if (outcome.error !== undefined) context.answeredBy.error = outcome.error
  const { edns } = asked
  if (edns === undefined) return reply
  const options = repeated ?? []
  context.answeredBy.rewritten = { ...asked, edns: { ...edns, options } }
  return { ...reply, ednsOptions: options, saysDnssecOk: edns.dnssecOk, ednsSize: edns.udpSize }
}

/** CNAME rules: another target, whose records take the place of the old ones. */
function rewriteTargets(reply: Reply, rules: readonly ReplyRule[], query: Query, context: Context): Eventually<Reply> {
  for (const rule of rules) {
    if (rule.kind !== 'cname') continue
    for (const [index, record] of reply.answer.entries()) {
      const target = record.type === rrType.CNAME ? rule.rewrite(targetOf(record) ?? '') : undefined
      if (target === undefined || target === foldName(targetOf(record) ?? '')) continue
      if (hasTooManyAliases(query)) return reply
      return whenReady(context.lookup(followingAlias(query, target)), (found) => {
        if (found === undefined) return reply
        const kept = reply.answer.slice(0, index).filter((r) => r.type === rrType.CNAME)
        const alias = nameRecord(record.name, rrType.CNAME, record.ttlSeconds, target)
        return { ...reply, answer: [...kept, alias, ...found.answer], truncated: found.truncated }
      })
    }
  }
  return reply
}
