// Runs a question through a listener with the observer on and tells, plugin by plugin, what happened and why.

import type { Explanation } from '@kubewire/kube-model'
import type { ChainObserver } from './chain.ts'
import type { Answer, Listener } from './dns-server.ts'
import type { Name } from './name.ts'
import { type Eventually, type Outcome, whenReady } from './outcome.ts'
import type { Query } from './query.ts'
import { targetOf } from './record.ts'
import { rcode, rcodeName, rrType, typeName } from './record-types.ts'
import type { Reply } from './reply.ts'
import { printRecord } from './zone/print-record.ts'

/** What a question comes to. */
export interface QueryExplanation extends Explanation {
  /** `forwarded`: a server elsewhere answers it, and none was reached. */
  readonly outcome: 'records' | 'no records' | 'failure' | 'forwarded' | 'transfer' | 'no reply'
  /** Zone of the server block that was asked; absent where none takes the name. */
  readonly zone?: Name
  /** The name at which a chain of aliases ends without records: a server elsewhere knows them. */
  readonly openAlias?: string
}

interface OpenStep {
  where: string
  what: string
  changed?: string
  readonly steps: OpenStep[]
}

/**
 * Explains one question: every plugin that was asked, in order, with what it said; plugins asked through others are
 * nested inside them. A promise only where a plugin waits for the network. A failure to reach a server elsewhere is
 * told as what it says without a network: who would answer.
 *
 * @example
 * const server = createDnsServer(serverPlans(corefile, options).value, plainPorts({ snapshot }))
 * console.log(printExplanation(await explainQuery(server.listeners[0], queryOf('tea.shop.svc.cluster.local.', rrType.A))))
 */
export function explainQuery(listener: Listener, query: Query): Eventually<QueryExplanation> {
  const root: OpenStep = { where: `${listener.scheme}://:${listener.port}`, what: '', steps: [] }
  const stack: OpenStep[] = [root]
  const asked: Query[] = [query]
  // The servers that a failing step did not reach; kept beside the steps, which are printed as they are.
  const unreached = new Map<OpenStep, readonly string[]>()
  const failing = new Set<OpenStep>()
  const observer: ChainObserver = {
    enter(name, inner) {
      const step: OpenStep = { where: `plugin ${name}`, what: '', steps: [] }
      const before = asked[asked.length - 1]
      if (before !== undefined && (before.name !== inner.name || before.type !== inner.type)) {
        step.changed = `question ${questionText(before)} → ${questionText(inner)}`
      }
      asked.push(inner)
      stack[stack.length - 1]?.steps.push(step)
      stack.push(step)
    },
    leave(_name, outcome) {
      const step = stack.pop()
      asked.pop()
      if (step === undefined) return
      const isFailing = isServerFailure(outcome)
      const servers = isFailing ? (unreachedBy(outcome) ?? unreachedInside(step)) : undefined
      if (isFailing) failing.add(step)
      if (servers !== undefined) unreached.set(step, servers)
      step.what = servers === undefined ? outcomeText(outcome) : forwardedText(servers)
    },
  }
  // A step that fails without servers of its own passes on what the last one inside it met.
  const unreachedInside = ({ steps }: OpenStep): readonly string[] | undefined => {
    const last = steps.findLast((step) => failing.has(step))
    return last === undefined ? undefined : unreached.get(last)
  }
  return whenReady(listener.answer(query, observer), (answer) => {
    const zone = listener.zones.find((one) => one === answer.facts.zone)
    if (zone !== undefined) root.where = blockName(listener, zone)
    const servers = isServerFailure(answer) ? unreachedInside(root) : undefined
    root.what = `${questionText(query)} → ${servers === undefined ? answerText(answer) : forwardedText(servers)}`
    const isUnclaimed = root.steps.length === 0 && answer.kind === 'reply'
    const outcome = servers === undefined ? outcomeOf(answer) : 'forwarded'
    const why = 'no block of this listener answers this zone, class or version'
    const openAlias = openAliasOf(query, answer)
    return {
      ...root,
      ...(isUnclaimed ? { why } : {}),
      outcome,
      ...(zone === undefined ? {} : { zone }),
      ...(openAlias === undefined ? {} : { openAlias }),
    }
  })
}

/** A server block as CoreDNS names it at its start: `example.org.:53`, `tls://.:853`. */
export function blockName({ scheme, port }: Pick<Listener, 'scheme' | 'port'>, zone: Name): string {
  return `${scheme === 'dns' ? '' : `${scheme}://`}${zone}:${port}`
}

function isServerFailure(outcome: Outcome | Answer): boolean {
  if (outcome.kind === 'fail') return outcome.rcode === rcode.SERVFAIL
  return outcome.kind === 'reply' && outcome.reply.rcode === rcode.SERVFAIL
}

function unreachedBy(outcome: Outcome): readonly string[] | undefined {
  return outcome.kind === 'fail' ? outcome.unreached : undefined
}

function forwardedText(servers: readonly string[]): string {
  return `forwarded to ${servers.join(' or ')}, the answer is not known here`
}

function openAliasOf({ type }: Query, answer: Answer): string | undefined {
  if (answer.kind !== 'reply' || type === rrType.CNAME) return undefined
  const last = answer.reply.answer.at(-1)
  return last?.type === rrType.CNAME ? targetOf(last) : undefined
}

function outcomeOf(answer: Answer): QueryExplanation['outcome'] {
  if (answer.kind === 'stream') return 'transfer'
  if (answer.kind === 'none') return 'no reply'
  if (answer.reply.rcode !== rcode.NOERROR) return 'failure'
  return answer.reply.answer.length > 0 ? 'records' : 'no records'
}

function questionText(query: Query): string {
  return `${typeName(query.type)} ${query.name}`
}

function answerText(answer: Answer): string {
  switch (answer.kind) {
    case 'none':
      return 'no reply'
    case 'stream':
      return `${answer.replies.reduce((sum, reply) => sum + reply.answer.length, 0)} records in ${answer.replies.length} messages`
    case 'reply':
      return replyText(answer.reply)
  }
}

function outcomeText(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'next':
      return 'not its question'
    case 'drop':
      return 'drops the question'
    case 'fail':
      return `${rcodeName(outcome.rcode)} without a reply${outcome.error === undefined ? '' : `: ${outcome.error}`}`
    case 'stream':
      return `sends ${outcome.replies.length} messages`
    case 'reply':
      return replyText(outcome.reply)
  }
}

function replyText(reply: Reply): string {
  const records = reply.answer.map((record) => printRecord(record))
  const code = rcodeName(reply.rcode)
  if (records.length > 0) return `${code}, ${records.join(' | ')}`
  return reply.rcode === 0 ? 'NODATA (the name exists, the type has no records)' : code
}
