// Rules of the rewrite plugin: what they match, how they change the question, how they change the reply.

import type { Name } from '../name.ts'
import type { MetadataLabels } from '../plugin.ts'
import type { EdnsOption, Query } from '../query.ts'
import type { DnsRecord } from '../record.ts'
import type { Reply } from '../reply.ts'

/** An edit of replies; a record edit runs on every record of every section. */
export type ReplyRule =
  | { readonly kind: 'owner'; readonly rewrite: (name: Name) => Name }
  | { readonly kind: 'value'; readonly rewrite: (name: Name) => Name }
  | { readonly kind: 'ttl'; readonly min: number; readonly max: number }
  | { readonly kind: 'rcode'; readonly from: number; readonly to: number }
  | { readonly kind: 'cname'; readonly rewrite: (target: Name) => Name | undefined }

/** What a rule did to a question. */
export interface RuleEffect {
  readonly query: Query
  readonly replyRules: readonly ReplyRule[]
  /** Whether the rule did not match all the same; then it is not the last one. */
  readonly isIgnored?: boolean
  /** An option of the question that replies must not show, and what stood in its place. */
  readonly undoneOption?: { readonly code: number; readonly before: EdnsOption | undefined }
}

/** One rule. */
export interface RewriteRule {
  readonly mode: 'stop' | 'continue'
  /** An EDNS option that replies repeat when the question has it behind this rule. */
  readonly repeats?: number
  /** `undefined` when the rule does not match. */
  apply(query: Query, metadata: MetadataLabels): RuleEffect | undefined
}

/** Applies rules to a reply in reverse order (CoreDNS plugin/rewrite/reverter.go); CNAME rules are the plugin's own. */
export function revertReply(reply: Reply, rules: readonly ReplyRule[]): Reply {
  const reversed = [...rules].reverse()
  const edit = (record: DnsRecord): DnsRecord => reversed.reduce(applyToRecord, record)
  const code = reversed.reduce(
    (value, rule) => (rule.kind === 'rcode' && rule.from === value ? rule.to : value),
    reply.rcode,
  )
  const saysDnssecOk = reversed.reduce(clampDnssecOk, reply.saysDnssecOk)
  return {
    ...reply,
    ...(saysDnssecOk === undefined ? {} : { saysDnssecOk }),
    rcode: code,
    authority: reply.authority.map(edit),
    answer: reply.answer.map(edit),
    additional: reply.additional.map(edit),
  }
}

/** COMPAT: the DO bit stands in the TTL of an OPT record, so rules for TTLs clear it. */
function clampDnssecOk(says: boolean | undefined, rule: ReplyRule): boolean | undefined {
  if (rule.kind !== 'ttl' || says === undefined) return says
  return (Math.min(rule.max, Math.max(rule.min, says ? 0x8000 : 0)) & 0x8000) !== 0
}

function applyToRecord(record: DnsRecord, rule: ReplyRule): DnsRecord {
  switch (rule.kind) {
    case 'owner':
      return { ...record, name: rule.rewrite(record.name) }
    case 'value':
      return withValue(record, rule.rewrite)
    case 'ttl':
      return { ...record, ttlSeconds: Math.min(rule.max, Math.max(rule.min, record.ttlSeconds)) }
    case 'rcode':
    case 'cname':
      return record
  }
}

function withValue(record: DnsRecord, rewrite: (name: Name) => Name): DnsRecord {
  const { data } = record
  if (data.kind === 'soa') return { ...record, data: { ...data, mname: rewrite(data.mname) } }
  if (!('target' in data)) return record
  return { ...record, data: { ...data, target: rewrite(data.target) } }
}

/** `{1}` in a replacement stands for the first group of a match; `{0}` for all of it. */
export function fillGroups(replacement: string, match: RegExpExecArray): string {
  return replacement.replaceAll(/\{([0-9]{1,3})\}/g, (whole, index: string) =>
    Number(index) < match.length ? (match[Number(index)] ?? '') : whole,
  )
}
