// Answers made from templates.

import type { Directive, DirectiveToken } from '../corefile/directive.ts'
import { foldName, longestZone, type Name } from '../name.ts'
import { type Eventually, failed, next, type Outcome, replied, whenReady } from '../outcome.ts'
import { type ConfigureInput, type Context, definePlugin, type PluginDefinition, type Ports } from '../plugin.ts'
import { askingFor, type Query } from '../query.ts'
import { type DnsRecord, targetOf } from '../record.ts'
import { className, rcode, rrClass, rrType, typeName } from '../record-types.ts'
import { emptyReply, extendedError, type Reply } from '../reply.ts'
import { parseRecord } from '../zone/parse-record.ts'
import { compileGoRegexp } from './go-regexp.ts'
import { compileTemplate, type Template } from './go-template.ts'
import type { TemplateObject } from './go-template-values.ts'
import { classWord, rcodeWord, typeWord } from './known-words.ts'
import { conditionsOf, type TemplateConditions, variablesOf } from './template-expressions.ts'
import { fallsThrough, fallthroughZones, integerProblem, zonesOrBlock } from './zone-arguments.ts'

interface SectionTemplate {
  readonly text: string
  readonly run: Template
}

/** A pattern, and how it stands in the Corefile. */
interface Pattern {
  readonly text: string
  readonly compiled: RegExp
}

/** One template directive. */
interface TemplateRule {
  readonly class: number
  readonly type: number
  readonly zones: readonly Name[]
  readonly patterns: readonly Pattern[]
  readonly answer: readonly SectionTemplate[]
  readonly additional: readonly SectionTemplate[]
  readonly authority: readonly SectionTemplate[]
  readonly rcode: number
  readonly extendedError?: { readonly code: number; readonly text: string }
  readonly fallthrough: readonly Name[]
  readonly conditions: TemplateConditions
}

const many = Number.POSITIVE_INFINITY

export const template: PluginDefinition<readonly TemplateRule[]> = definePlugin({
  name: 'template',
  summary: 'Answers made from templates.',
  syntax: 'CLASS TYPE [ZONES...]',
  args: { min: 1, max: many },
  properties: {
    var: {
      min: 2,
      max: many,
      syntax: 'NAME EXPRESSION',
      summary: 'A value for later expressions and, as `.Var.NAME`, for templates.',
    },
    expr: { min: 1, max: many, syntax: 'EXPRESSION', summary: 'Must be true, else the name does not match.' },
    match: { min: 1, max: many, syntax: 'REGEX...', summary: 'Names that the template is for; default all.' },
    answer: { min: 1, max: many, syntax: 'TEMPLATE...', summary: 'Records of the answer section.' },
    additional: { min: 1, max: many, syntax: 'TEMPLATE...', summary: 'Records of the additional section.' },
    authority: { min: 1, max: many, syntax: 'TEMPLATE...', summary: 'Records of the authority section.' },
    rcode: { min: 1, max: 1, syntax: 'CODE', summary: 'Response code, default NOERROR.' },
    ederror: { min: 1, max: 2, syntax: 'CODE [TEXT]', summary: 'Extended DNS error.' },
    fallthrough: { min: 0, max: many, syntax: '[ZONES...]', summary: 'Names that do not match go on.' },
    upstream: { min: 0, max: many, syntax: '', summary: 'Accepted and ignored.' },
  },
  checksItself: true,
  configure: (input) => input.directives.map((directive) => configureRule(input, directive)),
  create: (rules, ports) => ({
    handle: (query, context) => answerFromRules(rules, query, context, ports),
  }),
})

function configureRule(input: ConfigureInput, directive: Directive): TemplateRule {
  const [classText, typeText, ...zones] = directive.args
  for (const line of directive.block ?? []) checkLine(input, line)
  const lines = (name: string): Directive[] => (directive.block ?? []).filter((line) => line.name.text === name)
  const texts = (name: string): DirectiveToken[] => lines(name).flatMap((line) => line.args)
  const classValue = classWord(classText?.text ?? '')
  if (classValue === undefined) input.fail(`invalid query class ${classText?.text}`, classText ?? directive.end)
  else if (classText !== undefined && typeText === undefined) {
    input.fail(`Wrong argument count or unexpected line ending after '${classText.text}'`, classText)
  }
  const typeValue = typeWord(typeText?.text ?? '')
  if (typeValue === undefined && typeText !== undefined) input.fail(`invalid RR class ${typeText.text}`, typeText)
  const patterns = texts('match').map((token) => patternOf(input, token))
  const code = texts('rcode').pop()
  const rcodeValue = code === undefined ? rcode.NOERROR : rcodeWord(code.text)
  if (rcodeValue === undefined && code !== undefined) input.fail(`unknown rcode ${code.text}`, code)
  const edns = lines('ederror').pop()
  return {
    class: classValue ?? rrClass.IN,
    type: typeValue ?? rrType.ANY,
    zones: zonesOrBlock(input, zones),
    patterns: patterns.length === 0 ? [{ text: '.*', compiled: /.*/ }] : patterns,
    answer: texts('answer').map((token) => sectionTemplate(input, token, 'answer')),
    additional: texts('additional').map((token) => sectionTemplate(input, token, 'additional')),
    authority: texts('authority').map((token) => sectionTemplate(input, token, 'authority')),
    rcode: rcodeValue ?? rcode.NOERROR,
    ...(edns === undefined ? {} : { extendedError: extendedErrorOf(input, edns) }),
    fallthrough: lines('fallthrough').flatMap((line) => fallthroughZones(input, line)),
    conditions: conditionsOf(input, directive.block ?? []),
  }
}

/** COMPAT: an unknown property is refused as if the number of its arguments were wrong. */
function checkLine(input: ConfigureInput, { name, args, end }: Directive): void {
  const spec = Object.hasOwn(template.properties ?? {}, name.text) ? template.properties?.[name.text] : undefined
  if (spec !== undefined && args.length >= spec.min && args.length <= spec.max) return
  const at = spec === undefined ? name : (args[spec.max] ?? end)
  input.fail(`Wrong argument count or unexpected line ending after '${at.text}'`, at)
}

function extendedErrorOf(input: ConfigureInput, { args, end }: Directive): { code: number; text: string } {
  const [code, text] = args
  const read = integerProblem(code?.text ?? '', 'ParseUint', 16)
  if (typeof read === 'string') input.fail(`error parsing extended DNS error code ${code?.text}, ${read}`, end)
  return { code: Number(read), text: text?.text ?? '' }
}

function patternOf(input: ConfigureInput, token: DirectiveToken): Pattern {
  const { text } = token
  const compiled = compileGoRegexp(text)
  if (!('error' in compiled)) return { text, compiled }
  input.fail(`could not parse regex: ${text}, ${compiled.error}`, token)
  return { text, compiled: /$^/ }
}

function sectionTemplate(input: ConfigureInput, token: DirectiveToken, section: string): SectionTemplate {
  const run = compileTemplate(token.text)
  if (typeof run === 'function') return { text: token.text, run }
  input.fail(`could not compile template: ${token.text}, template: ${section}:1: ${run.error}`, token)
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
    const data = templateData(rule, query, zone, match, context)
    const judged = variablesOf(rule.conditions, query, context.metadata, data)
    if (judged === 'failed') return failed(rcode.SERVFAIL)
    if (judged === 'false') {
      if (!fallsThrough(rule.fallthrough, name)) return failed(rcode.SERVFAIL)
      continue
    }
    const { server, view } = context.server
    ports.metrics.add('coredns_template_matches_total', [
      server,
      zone,
      view,
      String(data['Class']),
      String(data['Type']),
    ])
    if (rule.rcode === rcode.SERVFAIL) return failed(rcode.SERVFAIL)
    const fail = (metric: TemplateFailure, section: string, text: string): void => {
      const labels = [server, zone, view, String(data['Class']), String(data['Type']), section, text]
      ports.metrics.add(metric, labels)
    }
    return makeReply(rule, { ...data, Var: judged }, query, context, fail)
  }
  return next
}

interface Match {
  readonly pattern: Pattern
  readonly groups: RegExpExecArray
}

function firstMatch(patterns: readonly Pattern[], name: Name): Match | undefined {
  for (const pattern of patterns) {
    const groups = pattern.compiled.exec(name)
    if (groups) return { pattern, groups }
  }
  return undefined
}

function templateData(rule: TemplateRule, query: Query, zone: Name, match: Match, context: Context): TemplateObject {
  const groups = [...match.groups].map((text) => text ?? '')
  const numbered = Object.fromEntries(groups.map((text, i) => [String(i), text]))
  const named = Object.fromEntries(Object.entries(match.groups.groups ?? {}).map(([key, text]) => [key, text ?? '']))
  const question = { isStructure: true, Name: query.name, Qtype: query.type, Qclass: query.class }
  return {
    isStructure: true,
    Name: foldName(query.name),
    Zone: zone,
    Type: wordOf(typeName(query.type === rrType.ANY ? rule.type : query.type)),
    Class: wordOf(className(query.class === rrClass.ANY ? rule.class : query.class)),
    Match: groups,
    Group: { ...numbered, ...named },
    Remote: query.client.address,
    Question: question,
    Regex: match.pattern.text,
    Message: messageData(query, question),
    Meta: (label) => context.metadata.get(String(label))?.() ?? '',
  }
}

/** COMPAT: numbers without a name are no text at all. */
function wordOf(name: string): string {
  return /^(?:TYPE|CLASS)[0-9]/.test(name) ? '' : name
}

/** The question's message, as far as templates are likely to look. */
function messageData(query: Query, question: TemplateObject): TemplateObject {
  return {
    isStructure: true,
    Id: query.id,
    Response: false,
    Opcode: query.opcode,
    Authoritative: false,
    Truncated: false,
    RecursionDesired: query.recursionDesired,
    RecursionAvailable: false,
    Zero: false,
    AuthenticatedData: query.authenticData,
    CheckingDisabled: query.checkingDisabled,
    Rcode: 0,
    Question: [question],
    Answer: [],
    Ns: [],
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
  const reply: Reply = {
    ...emptyReply,
    rcode: rule.rcode,
    authoritative: true,
    answer: [],
    additional: records(additional),
    authority: records(authority),
    ...(rule.extendedError && extendedError(rule.extendedError.code, rule.extendedError.text)),
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
        return { error: `dns: ${parsed.error} at line: ${parsed.place}` }
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
