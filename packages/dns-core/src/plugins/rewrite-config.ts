// Reads rewrite directives into rules (CoreDNS plugin/rewrite).

import type { Directive } from '../corefile/directive.ts'
import { foldName, type Name } from '../name.ts'
import type { ConfigureInput } from '../plugin.ts'
import { compileGoRegexp, countGroups } from './go-regexp.ts'
import { classWord, rcodeWord, typeWord } from './known-words.ts'
import { ednsRule, isLabel } from './rewrite-edns.ts'
import { fillGroups, type ReplyRule, type RewriteRule } from './rewrite-rules.ts'

/** Thrown inside this file only, with the text of the problem. */
class RuleError extends Error {}

/** Reads one directive; a rule may stand on the line or, in pieces, in its block. */
export function rewriteRule(input: ConfigureInput, directive: Directive): RewriteRule {
  const { args, block = [] } = directive
  const words = [args, ...block.map((line) => [line.name, ...line.args])].flat().map((token) => token.text)
  try {
    // COMPAT: a block behind a whole rule is read as a rule of its own that has no words.
    if (args.length >= 2 && directive.block !== undefined) throw new RuleError('no rule type specified for rewrite')
    return readRule(words)
  } catch (cause) {
    if (!(cause instanceof RuleError)) throw cause
    input.failPlain(cause.message)
    return { mode: 'continue', apply: () => undefined }
  }
}

function readRule(words: readonly string[]): RewriteRule {
  const [first = ''] = words
  const mode = first.toLowerCase() === 'continue' ? 'continue' : 'stop'
  const hasMode = ['continue', 'stop'].includes(first.toLowerCase())
  const [type = '', ...args] = hasMode ? words.slice(1) : words
  if (type === '')
    throw new RuleError(hasMode ? `${mode} rule must begin with a rule type` : 'no rule type specified for rewrite')
  switch (type.toLowerCase()) {
    case 'name':
      return nameRule(mode, args)
    case 'type':
      return numberRule(mode, args, 'type', typeWord)
    case 'class':
      return numberRule(mode, args, 'class', classWord)
    case 'ttl':
      return ttlRule(mode, args)
    case 'rcode':
      return rcodeRule(mode, args)
    case 'cname':
      return cnameRule(mode, args)
    case 'edns0':
      return ednsRule(mode, args, (text) => new RuleError(text))
    case 'answer':
      throw new RuleError('response rewrites must begin with a name rule')
    default:
      throw new RuleError(`invalid rule type ${JSON.stringify(first)}`)
  }
}

type Mode = RewriteRule['mode']
type MatchKind = 'exact' | 'prefix' | 'suffix' | 'substring' | 'regex'

const matchKinds: readonly string[] = ['exact', 'prefix', 'suffix', 'substring', 'regex']

function nameRule(mode: Mode, args: readonly string[]): RewriteRule {
  if (args.length < 2) throw new RuleError('too few arguments for a name rule')
  const kind = args.length === 2 ? 'exact' : (args[0] ?? '').toLowerCase()
  const [from = '', to = ''] = args.length === 2 ? args : args.slice(1)
  const hasMetadata = args[3] === 'metadata'
  if (hasMetadata && kind !== 'regex' && matchKinds.includes(kind)) {
    throw new RuleError('metadata is only supported for regex name rules')
  }
  const answers = answerRules(kind, args.slice(hasMetadata ? 4 : 3))
  if (!matchKinds.includes(kind)) {
    throw new RuleError(
      `name rule supports only exact, prefix, suffix, substring, and regex name matching, received: ${kind}`,
    )
  }
  const rename = hasMetadata ? metadataRenamer(from, to) : renamer(kind as MatchKind, from, to)
  const suffixes = kind === 'suffix' && answers.isAuto ? suffixUndo(closed(to), closed(from)) : []
  const isAuto = kind === 'exact' || (answers.isAuto && kind !== 'suffix')
  return {
    mode,
    apply(query, metadata) {
      const name = foldName(query.name)
      const renamed = rename(name, (label) => metadata.get(label)?.() ?? '')
      if (renamed === undefined) return undefined
      const automatic = isAuto ? remapUndo(renamed, name) : suffixes
      return { query: { ...query, name: renamed }, replyRules: [...automatic, ...answers.rules] }
    },
  }
}

/** A function from name to new name; `undefined` where the rule does not match. */
function renamer(kind: MatchKind, from: string, to: string): (name: Name) => Name | undefined {
  const [folded, target] = [foldName(from), foldName(to)]
  switch (kind) {
    case 'exact':
      return (name) => (name === closed(folded) ? closed(target) : undefined)
    case 'prefix':
      // COMPAT: prefixes and substrings get a final dot like names, so they end at a label (plugin.Name.Normalize).
      return (name) => (name.startsWith(closed(from)) ? closed(to) + name.slice(closed(from).length) : undefined)
    case 'suffix':
      return (name) => {
        const suffix = closed(folded)
        return name.endsWith(suffix) ? name.slice(0, name.length - suffix.length) + closed(target) : undefined
      }
    case 'substring':
      return (name) => (name.includes(closed(from)) ? name.replaceAll(closed(from), closed(to)) : undefined)
    case 'regex': {
      const pattern = patternOf(from, to)
      return (name) => {
        const match = pattern.exec(name)
        return match ? fillGroups(normalized(target), match) : undefined
      }
    }
  }
}

/** A regex rule with the word `metadata`: `{1}` is a group, `{kubernetes/namespace}` a label, taken apart beforehand. */
function metadataRenamer(from: string, to: string): (name: Name, meta: (label: string) => string) => Name | undefined {
  const pattern = patternOf(from, '')
  const parts = normalized(to).split(/(\{[^}]*\}?)/)
  for (const [i, part] of parts.entries()) {
    if (i % 2 === 0) {
      if (part.includes('}')) throw new RuleError('unmatched closing brace in metadata name replacement')
      continue
    }
    if (!part.endsWith('}')) throw new RuleError('unclosed placeholder in metadata name replacement')
    const label = part.slice(1, -1)
    if (/^[+-]?[0-9]+$/.test(label)) {
      if (Number(label) >= 0 && Number(label) <= countGroups(pattern)) continue
      throw new RuleError(`capture group ${label} does not exist in name matching pattern`)
    }
    if (!isLabel(label) || label.includes('{')) {
      throw new RuleError(`invalid metadata label ${JSON.stringify(label)} in name replacement`)
    }
  }
  return (name, meta) => {
    const match = pattern.exec(name)
    if (!match) return undefined
    const filled = parts.map((part, i) => {
      if (i % 2 === 0) return part.toLowerCase()
      const label = part.slice(1, -1)
      return /^[0-9]+$/.test(label) ? (match[Number(label)] ?? '') : meta(label)
    })
    return filled.join('')
  }
}

function answerRules(kind: string, words: readonly string[]): { isAuto: boolean; rules: readonly ReplyRule[] } {
  if (words.length === 0) return { isAuto: false, rules: [] }
  if (words.length < 2) throw new RuleError(`invalid arguments for ${kind} rule`)
  const rules: ReplyRule[] = []
  let isAuto = false
  for (let at = 0; at < words.length; ) {
    if (words[at] === 'answer') at++
    else if (at === 0) {
      throw new RuleError(`exceeded the number of arguments for a non-answer rule argument for ${kind} rule`)
    }
    const type = words[at++]
    if (type === undefined) throw new RuleError(`type missing for answer rule for ${kind} rule`)
    if (type === 'auto') {
      isAuto = true
      continue
    }
    if (type !== 'name' && type !== 'value') {
      throw new RuleError(`invalid type ${JSON.stringify(type)} for answer rule for ${kind} rule`)
    }
    const [from, to] = words.slice(at, at + 2)
    if (from === undefined || to === undefined) {
      throw new RuleError(`${type} answer rule for ${kind} rule: 2 arguments required`)
    }
    at += 2
    const pattern = patternOf(from, to, `${type} answer rule for ${kind} rule: `)
    const rewrite = (name: Name): Name => {
      const match = pattern.exec(name)
      return match ? fillGroups(normalized(foldName(to)), match) : name
    }
    rules.push({ kind: type === 'name' ? 'owner' : 'value', rewrite })
  }
  if (isAuto && rules.some((rule) => rule.kind === 'owner')) {
    throw new RuleError('auto name answer rule cannot be combined with explicit name anwer rules')
  }
  return { isAuto, rules }
}

/** Undoes one renaming on owners and names in data, for the name itself and names below it. */
function remapUndo(from: Name, to: Name): readonly ReplyRule[] {
  const rewrite = (name: Name): Name => {
    if (name === from) return to
    return name.endsWith(`.${from}`) ? name.slice(0, name.length - from.length) + to : name
  }
  return [
    { kind: 'owner', rewrite },
    { kind: 'value', rewrite },
  ]
}

function suffixUndo(from: string, to: string): readonly ReplyRule[] {
  const [suffix, original] = [foldName(from), foldName(to)]
  const rewrite = (name: Name): Name =>
    name.endsWith(suffix) ? name.slice(0, name.length - suffix.length) + original : name
  return [
    { kind: 'owner', rewrite },
    { kind: 'value', rewrite },
  ]
}

function numberRule(
  mode: Mode,
  args: readonly string[],
  field: 'type' | 'class',
  parse: (text: string) => number | undefined,
): RewriteRule {
  if (args.length !== 2) throw new RuleError(`${field} rules must have exactly two arguments`)
  const [from, to] = args.map((text) => {
    const value = parse(text.toUpperCase())
    if (value === undefined) throw new RuleError(`invalid ${field} ${JSON.stringify(text.toUpperCase())}`)
    return value
  })
  return {
    mode,
    apply: (query) => (query[field] === from ? { query: { ...query, [field]: to }, replyRules: [] } : undefined),
  }
}

function ttlRule(mode: Mode, args: readonly string[]): RewriteRule {
  if (args.length < 2) throw new RuleError(`too few (${args.length}) arguments for a ttl rule`)
  const range = args.length <= 3 ? (args[args.length - 1] ?? '') : ''
  const match = /^(?:([0-9]+)|([0-9]*)-([0-9]*))$/.exec(range)
  const [, fixed, low = '', high = ''] = match ?? []
  const min = Number(fixed ?? low)
  const max = fixed === undefined ? (high === '' ? 2 ** 31 - 1 : Number(high)) : Number(fixed)
  if (!match || range === '-' || min > max || max >= 2 ** 32)
    throw new RuleError(`invalid TTL '${range}' for a ttl rule`)
  return replyRule(mode, args.slice(0, -1), { kind: 'ttl', min, max })
}

function rcodeRule(mode: Mode, args: readonly string[]): RewriteRule {
  if (args.length < 3) throw new RuleError(`too few (${args.length}) arguments for a rcode rule`)
  const [fromText = '', toText = ''] = args.length <= 4 ? args.slice(-2) : []
  const [from, to] = [fromText, toText].map(rcodeOf)
  if (from === undefined) throw new RuleError(`invalid matching RCODE '${fromText}' for a rcode rule`)
  if (to === undefined) throw new RuleError(`invalid replacement RCODE '${toText}' for a rcode rule`)
  return replyRule(mode, args.slice(0, -2), { kind: 'rcode', from, to })
}

/** A code by name or by a number that has one. */
function rcodeOf(text: string): number | undefined {
  return /^[0-9]+$/.test(text) && Number(text) <= 23 ? Number(text) : rcodeWord(text.toUpperCase())
}

/** A rule that matches names and changes replies only. */
function replyRule(mode: Mode, args: readonly string[], rule: ReplyRule): RewriteRule {
  const kind = args.length === 1 ? 'exact' : (args[0] ?? '').toLowerCase()
  if (!matchKinds.includes(kind))
    throw new RuleError(`${rule.kind} rule supports only exact, prefix, suffix, substring, and regex name matching`)
  const from = args[args.length - 1] ?? ''
  if (kind === 'regex' && 'error' in compileGoRegexp(from)) {
    throw new RuleError(`invalid regex pattern in a ${rule.kind} rule: ${from}`)
  }
  const matches = renamer(kind as MatchKind, from, '.')
  return {
    mode,
    apply: (query) => (matches(foldName(query.name)) === undefined ? undefined : { query, replyRules: [rule] }),
  }
}

function cnameRule(mode: Mode, args: readonly string[]): RewriteRule {
  if (args.length !== 2 && args.length !== 3) throw new RuleError(`too few (${args.length}) arguments for a cname rule`)
  const kind = args.length === 2 ? 'exact' : (args[0] ?? '').toLowerCase()
  if (!matchKinds.includes(kind)) throw new RuleError(`unknown cname rewrite type: ${kind}`)
  const [from = '', to = ''] = args.slice(-2).map((text) => text.toLowerCase())
  const rename = cnameRenamer(kind as MatchKind, from, to)
  return { mode, apply: (query) => ({ query, replyRules: [{ kind: 'cname', rewrite: rename }] }) }
}

function cnameRenamer(kind: MatchKind, from: string, to: string): (target: Name) => Name | undefined {
  if (kind === 'regex') {
    const pattern = compileGoRegexp(from)
    if ('error' in pattern) throw new RuleError(`invalid cname rewrite regex pattern: ${pattern.error}`)
    return (target) => {
      const match = pattern.exec(target)
      return match ? fillGroups(to, match) : undefined
    }
  }
  switch (kind) {
    case 'exact':
      return (target) => (target === closed(from) ? closed(to) : undefined)
    case 'prefix':
      return (target) => (target.startsWith(from) ? to + target.slice(from.length) : undefined)
    case 'suffix':
      return (target) => (target.endsWith(from) ? target.slice(0, target.length - from.length) + to : undefined)
    case 'substring':
      return (target) => (target.includes(from) ? target.replaceAll(from, to) : undefined)
  }
}

function patternOf(from: string, to: string, where = ''): RegExp {
  const pattern = compileGoRegexp(from)
  if ('error' in pattern) throw new RuleError(`${where}invalid regex matching pattern: ${from}`)
  const used = new Set([...to.matchAll(/\{([0-9]{1,2}|100)\}/g)].map(([whole]) => whole)).size
  if (used > countGroups(pattern)) {
    throw new RuleError(
      `${where}the rewrite regex pattern (${to}) uses more subexpressions than its corresponding matching regex pattern (${from})`,
    )
  }
  return pattern
}

function closed(text: string): string {
  return foldName(text.endsWith('.') ? text : `${text}.`)
}

/** COMPAT: a replacement is made absolute (plugin.Name.Normalize). */
function normalized(text: string): string {
  return text.endsWith('.') ? text : `${text}.`
}
