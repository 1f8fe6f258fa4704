// The words of one rule → matches and target. Understands restore and save form alike; what it does not know is kept
// as opaque words, so that any agent's rules can be read.

import type { MatchDefinition, RuleOption } from '../match/define.ts'
import { type Match, matchOfHeaderOption, matchOfModule } from '../match/registry.ts'
import { type Rule, rule } from '../ruleset/rule.ts'
import { type Target, targetOfName } from '../target/registry.ts'

/** Reads the words after `-A CHAIN`; `isChain` tells jumps from targets that we do not know. */
export function parseRuleWords(words: readonly string[], isChain: (name: string) => boolean): Rule {
  const reading: Reading = { header: [], modules: [], target: undefined }
  let i = 0
  while (i < words.length) i = readOption(words, i, reading, isChain)
  const modules = reading.modules.map(finishModule)
  return rule([...reading.header, ...modules], reading.target && finishTarget(reading.target, isChain))
}

interface Module {
  readonly name: string
  readonly definition: MatchDefinition<Match> | undefined
  readonly options: RuleOption[]
}

interface TargetReading {
  readonly name: string
  readonly isGoto: boolean
  readonly options: RuleOption[]
}

interface Reading {
  readonly header: Match[]
  readonly modules: Module[]
  target: TargetReading | undefined
}

const longNames: { readonly [name: string]: string } = {
  '--source': '-s',
  '--src': '-s',
  '--destination': '-d',
  '--dst': '-d',
  '--in-interface': '-i',
  '--out-interface': '-o',
  '--protocol': '-p',
  '--proto': '-p',
  '--match': '-m',
  '--jump': '-j',
  '--goto': '-g',
}

function readOption(
  words: readonly string[],
  at: number,
  reading: Reading,
  isChain: (name: string) => boolean,
): number {
  const negated = words[at] === '!'
  const start = negated ? at + 1 : at
  const word = words[start] ?? ''
  const name = longNames[word] ?? word
  if (name === '-m') {
    const module = words[start + 1] ?? ''
    reading.modules.push({ name: module, definition: matchOfModule(module), options: [] })
    return start + 2
  }
  if (name === '-j' || name === '-g') {
    reading.target = { name: words[start + 1] ?? '', isGoto: name === '-g', options: [] }
    return start + 2
  }
  const header = matchOfHeaderOption(name)
  const match = header?.parse([{ name, negated, values: [words[start + 1] ?? ''] }], '')
  if (match !== undefined) {
    reading.header.push(match)
    return start + 2
  }
  return readModuleOption(words, start, negated, reading, isChain)
}

function readModuleOption(
  words: readonly string[],
  start: number,
  negated: boolean,
  reading: Reading,
  isChain: (name: string) => boolean,
): number {
  const name = words[start] ?? ''
  const target = reading.target
  if (target !== undefined) {
    const arity = isChain(target.name) ? undefined : targetOfName(target.name)?.options[name]
    return takeOption(words, start, negated, arity, target.options)
  }
  const owner =
    reading.modules.findLast((module) => module.definition?.options[name] !== undefined) ?? reading.modules.at(-1)
  if (owner === undefined) {
    const unknown: Module = { name: '', definition: undefined, options: [] }
    reading.modules.push(unknown)
    return takeOption(words, start, negated, undefined, unknown.options)
  }
  return takeOption(words, start, negated, owner.definition?.options[name], owner.options)
}

// An option of unknown arity takes the words up to the next one that looks like an option.
function takeOption(
  words: readonly string[],
  start: number,
  negated: boolean,
  arity: number | undefined,
  options: RuleOption[],
): number {
  let end = start + 1
  if (arity !== undefined) end += arity
  else while (end < words.length && words[end] !== '!' && !/^-{1,2}[a-zA-Z]/.test(words[end] ?? '')) end++
  options.push({ name: words[start] ?? '', negated, values: words.slice(start + 1, end) })
  return end
}

function finishModule({ name, definition, options }: Module): Match {
  const isKnown = options.every((option) => definition?.options[option.name] !== undefined)
  const match = isKnown ? definition?.parse(options, name) : undefined
  return match ?? { kind: 'opaque', module: name, words: wordsOf(options) }
}

function finishTarget({ name, isGoto, options }: TargetReading, isChain: (name: string) => boolean): Target {
  const definition = isGoto || isChain(name) ? undefined : targetOfName(name)
  const isKnown = definition !== undefined && options.every((option) => definition.options[option.name] !== undefined)
  const target = isKnown ? definition.parse(options, name) : undefined
  if (target !== undefined) return target
  if (isGoto) return { kind: 'jump', chain: name, isGoto: true }
  if (options.length === 0 && definition === undefined && isChain(name)) return { kind: 'jump', chain: name }
  return { kind: 'opaque', name, words: wordsOf(options) }
}

function wordsOf(options: readonly RuleOption[]): string[] {
  return options.flatMap(({ name, negated, values }) => [...(negated ? ['!'] : []), name, ...values])
}
