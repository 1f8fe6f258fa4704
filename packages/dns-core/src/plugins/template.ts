// Answers made from templates.

import type { Directive, DirectiveToken } from '../corefile/directive.ts'
import { foldName, longestZone, type Name } from '../name.ts'
import { type Eventually, failed, next, type Outcome, replied, whenReady } from '../outcome.ts'
import { type ConfigureInput, type Context, definePlugin, type PluginDefinition, type Ports } from '../plugin.ts'
import { askingFor, type Query } from '../query.ts'
import { type DnsRecord, targetOf } from '../record.ts'
import { className, classNumber, rcode, rcodeNumber, rrClass, rrType, typeName, typeNumber } from '../record-types.ts'
import { emptyReply, extendedError, type Reply } from '../reply.ts'
import { parseRecord } from '../zone/parse-record.ts'
import { compileGoRegexp } from './go-regexp.ts'
import { compileTemplate, type Template, type TemplateObject } from './go-template.ts'
import { fallsThrough, fallthroughZones, zonesOrBlock } from './zone-arguments.ts'

interface SectionTemplate {
  readonly text: string
  readonly run: Template
}

/** One template directive. */
interface TemplateRule {
  readonly class: number
  readonly type: number
  readonly zones: readonly Name[]
  readonly patterns: readonly RegExp[]
  readonly answer: readonly SectionTemplate[]
  readonly additional: readonly SectionTemplate[]
  readonly authority: readonly SectionTemplate[]
  readonly rcode: number
  readonly extendedError?: { readonly code: number; readonly text: string }
  readonly fallthrough: readonly Name[]
}

const many = Number.POSITIVE_INFINITY

export const template: PluginDefinition<readonly TemplateRule[]> = definePlugin({
  name: 'template',
  summary: 'Answers made from templates.',
  syntax: 'CLASS TYPE [ZONES...]',
  args: { min: 2, max: many },
  properties: {
    match: { min: 1, max: many, syntax: 'REGEX...', summary: 'Names that the template is for; default all.' },
    answer: { min: 1, max: many, syntax: 'TEMPLATE...', summary: 'Records of the answer section.' },
    additional: { min: 1, max: many, syntax: 'TEMPLATE...', summary: 'Records of the additional section.' },
    authority: { min: 1, max: many, syntax: 'TEMPLATE...', summary: 'Records of the authority section.' },
    rcode: { min: 1, max: 1, syntax: 'CODE', summary: 'Response code, default NOERROR.' },
    ederror: { min: 1, max: 2, syntax: 'CODE [TEXT]', summary: 'Extended DNS error.' },
    fallthrough: { min: 0, max: many, syntax: '[ZONES...]', summary: 'Names that do not match go on.' },
    upstream: { min: 0, max: many, syntax: '', summary: 'Accepted and ignored.' },
  },
  configure: (input) => input.directives.map((directive) => configureRule(input, directive)),
  create: (rules, ports) => ({
    handle: (query, context) => answerFromRules(rules, query, context, ports),
  }),
})

function configureRule(input: ConfigureInput, directive: Directive): TemplateRule {
  const [classText, typeText, ...zones] = directive.args
  const lines = (name: string): Directive[] => (directive.block ?? []).filter((line) => line.name.text === name)
  const texts = (name: string): DirectiveToken[] => lines(name).flatMap((line) => line.args)
  const classValue = classNumber(classText?.text ?? '')
  if (classValue === undefined) input.fail(`invalid query class ${classText?.text}`, directive.end)
  const typeValue = typeNumber(typeText?.text ?? '')
  if (typeValue === undefined) input.fail(`invalid RR class ${typeText?.text}`, directive.end)
  const patterns = texts('match').map((token) => patternOf(input, token))
  const code = texts('rcode')[0]
  const rcodeValue = code === undefined ? rcode.NOERROR : rcodeNumber(code.text)
  if (rcodeValue === undefined && code !== undefined) input.fail(`unknown rcode ${code.text}`, code)
  const [errorCode, errorText] = texts('ederror')
  return {
    class: classValue ?? rrClass.IN,
    type: typeValue ?? rrType.ANY,
    zones: zonesOrBlock(input, zones),
    patterns: patterns.length === 0 ? [/.*/] : patterns,
    answer: texts('answer').map((token) => sectionTemplate(input, token)),
    additional: texts('additional').map((token) => sectionTemplate(input, token)),
    authority: texts('authority').map((token) => sectionTemplate(input, token)),
    rcode: rcodeValue ?? rcode.NOERROR,
    ...(errorCode === undefined
      ? {}
      : { extendedError: { code: Number(errorCode.text), text: errorText?.text ?? '' } }),
    fallthrough: lines('fallthrough').flatMap((line) => fallthroughZones(input, line)),
  }
}

function patternOf(input: ConfigureInput, token: DirectiveToken): RegExp {
  const pattern = compileGoRegexp(token.text)
  if (pattern === undefined) input.fail(`could not parse regex: ${token.text}`, token)
  return pattern ?? /$^/
}

function sectionTemplate(input: ConfigureInput, token: DirectiveToken): SectionTemplate {
  const run = compileTemplate(token.text)
  if (typeof run === 'function') return { text: token.text, run }
  input.fail(`could not compile template: ${token.text}, ${run.error}`, token)
  return { text: token.text, run: () => '' }
}

function answerFromRules(
  rules: readonly TemplateRule[],
  query: Query,
  context: Context,
  ports: Ports,
): Eventually<Outcome> {
  const name = foldName(query.name)
  for (const rule of rules) {
    const zone = longestZone(rule.zones, name)
    const isClass = rule.class === rrClass.ANY || query.class === rrClass.ANY || rule.class === query.class
    const isType = rule.type === rrType.ANY || query.type === rrType.ANY || rule.type === query.type
    if (zone === undefined || !isClass || !isType) continue
    const match = firstMatch(rule.patterns, name)
    if (match === undefined) {
      if (!fallsThrough(rule.fallthrough, name)) return failed(rcode.SERVFAIL)
      continue
    }
    const { server, view } = context.server
    ports.metrics.add('coredns_template_matches_total', [
      server,
      zone,
      view,
      className(query.class),
      typeName(query.type),
    ])
    if (rule.rcode === rcode.SERVFAIL) return failed(rcode.SERVFAIL)
    const fail = (metric: TemplateFailure, section: string, text: string): void => {
      const labels = [server, zone, view, className(query.class), typeName(query.type), section, text]
      ports.metrics.add(metric, labels)
    }
    return makeReply(rule, templateData(rule, query, zone, match, context), query, context, fail)
  }
  return next
}

function firstMatch(patterns: readonly RegExp[], name: Name): RegExpExecArray | undefined {
  for (const pattern of patterns) {
    const match = pattern.exec(name)
    if (match) return match
  }
  return undefined
}

function templateData(
  rule: TemplateRule,
  query: Query,
  zone: Name,
  match: RegExpExecArray,
  context: Context,
): TemplateObject {
  const groups = [...match].map((text) => text ?? '')
  const numbered = Object.fromEntries(groups.map((text, i) => [String(i), text]))
  const named = Object.fromEntries(Object.entries(match.groups ?? {}).map(([key, text]) => [key, text ?? '']))
  const question = { Name: query.name, Qtype: query.type, Qclass: query.class }
  return {
    Name: foldName(query.name),
    Zone: zone,
    Type: typeName(query.type === rrType.ANY ? rule.type : query.type),
    Class: className(query.class === rrClass.ANY ? rule.class : query.class),
    Match: groups,
    Group: { ...numbered, ...named },
    Remote: query.client.address,
    Question: question,
    Message: { Id: query.id, Opcode: query.opcode, RecursionDesired: query.recursionDesired, Question: [question] },
    Meta: (label) => context.metadata.get(String(label))?.() ?? '',
  }
}

type TemplateFailure = 'coredns_template_template_failures_total' | 'coredns_template_rr_failures_total'
type CountFailure = (metric: TemplateFailure, section: string, text: string) => void

function makeReply(
  rule: TemplateRule,
  data: TemplateObject,
  query: Query,
  context: Context,
  fail: CountFailure,
): Eventually<Outcome> {
  const [answer, additional, authority] = (['answer', 'additional', 'authority'] as const).map((section) =>
    renderSection(rule[section], data, (metric, text) => fail(metric, section, text)),
  )
  for (const section of [answer, additional, authority]) {
    if (section !== undefined && 'error' in section) return failed(rcode.SERVFAIL, section.error)
  }
  const records = (section: Rendered | undefined): readonly DnsRecord[] =>
    section !== undefined && 'records' in section ? section.records : []
  const options = rule.extendedError && extendedError(query, rule.extendedError.code, rule.extendedError.text)
  const reply: Reply = {
    ...emptyReply,
    rcode: rule.rcode,
    authoritative: true,
    answer: [],
    additional: records(additional),
    authority: records(authority),
    ...(options === undefined ? {} : { ednsOptions: options }),
  }
  return whenReady(completeAliases(records(answer), query, context), (whole) => replied({ ...reply, ...whole }))
}

type Rendered = { readonly records: readonly DnsRecord[] } | { readonly error: string }

function renderSection(
  section: readonly SectionTemplate[],
  data: TemplateObject,
  fail: (metric: TemplateFailure, text: string) => void,
): Rendered {
  const records: DnsRecord[] = []
  for (const { run, text } of section) {
    try {
      const parsed = parseRecord(run(data))
      if ('error' in parsed) {
        fail('coredns_template_rr_failures_total', text)
        return parsed
      }
      records.push(parsed.record)
    } catch (cause) {
      fail('coredns_template_template_failures_total', text)
      return { error: cause instanceof Error ? cause.message : String(cause) }
    }
  }
  return { records }
}

/** Completes CNAME answers to address questions by an inner lookup, one after the other. */
function completeAliases(
  answer: readonly DnsRecord[],
  query: Query,
  context: Context,
): Eventually<Pick<Reply, 'answer' | 'truncated'>> {
  const isAddress = query.type === rrType.A || query.type === rrType.AAAA
  return answer.reduce<Eventually<Pick<Reply, 'answer' | 'truncated'>>>(
    (before, record) =>
      whenReady(before, (done) => {
        const target = record.type === rrType.CNAME && isAddress ? targetOf(record) : undefined
        if (target === undefined) return { ...done, answer: [...done.answer, record] }
        return whenReady(context.lookup(askingFor(query, target)), (reply) => ({
          answer: [...done.answer, record, ...(reply?.answer ?? [])],
          truncated: reply === undefined ? done.truncated : reply.truncated,
        }))
      }),
    { answer: [], truncated: false },
  )
}
