// One rule → one line. The only place that decides where header options stand.

import type { IpFamily } from '@kubewire/kube-model'
import type { MatchDefinition, PrintStyle } from '../match/define.ts'
import { type Match, matchDefinition } from '../match/registry.ts'
import type { Rule } from '../ruleset/rule.ts'
import { type Target, targetDefinition } from '../target/registry.ts'

const restoreStyles = { 4: { form: 'restore', family: 4 }, 6: { form: 'restore', family: 6 } } as const
const saveStyles = { 4: { form: 'save', family: 4 }, 6: { form: 'save', family: 6 } } as const

/** A rule without `-A CHAIN`, in the order of words that kube-proxy writes to iptables-restore. */
export function printRestoreRule(rule: Rule, family: IpFamily): string {
  return restoreWords(rule, family).slice(1)
}

/**
 * The same with a blank before every word, for whoever writes something in front: a rule without words is empty.
 *
 * kube-proxy writes addresses after comment and addrtype but before every other module; where a rule asks for ports the
 * module is loaded, then come protocol and destination, then its ports, then the source.
 */
export function restoreWords({ matches, target }: Rule, family: IpFamily): string {
  const style = restoreStyles[family]
  let [protocol, destination, others] = ['', '', '']
  let header = 0
  for (; header < matches.length; header++) {
    const match = matches[header] as Match
    const definition = matchDefinition(match)
    if (definition.place !== 'header') break
    const words = ` ${definition.print(match, style)}`
    if (match.kind === 'protocol') protocol += words
    else if (match.kind === 'destination') destination += words
    else others += words
  }
  const place = header === 0 ? -1 : placeOfHeader(matches, header)
  let text = place < header ? protocol + destination + others : ''
  for (let i = header; i < matches.length; i++) {
    const match = matches[i] as Match
    const definition = matchDefinition(match)
    const module = moduleName(match, definition)
    const words = definition.print(match, style)
    const options = words === '' ? '' : ` ${words}`
    if (module !== '') text += ` -m ${module}`
    if (i !== place) text += options
    else if (match.kind === 'ports') text += protocol + destination + options + others
    else text += options + protocol + destination + others
  }
  return target === undefined ? text : text + targetWords(target, style)
}

/** A rule without `-A CHAIN`, as iptables-save 1.8.9 prints it. */
export function printSaveRule(rule: Rule, family: IpFamily): string {
  const style = saveStyles[family]
  const { matches } = rule
  const header = headerLength(matches)
  let text = ''
  for (const kind of headerOrder) text = addWhere(text, matches, header, style, (match) => match.kind === kind)
  for (let i = header; i < matches.length; i++) text = add(text, printMatch(matches[i] as Match, style))
  return rule.target === undefined ? text : add(text, targetWords(rule.target, style).slice(1))
}

const headerOrder = ['source', 'destination', 'in-interface', 'out-interface', 'protocol']

function add(text: string, words: string): string {
  if (words === '') return text
  return text === '' ? words : `${text} ${words}`
}

/** How many matches at the head of a rule are options of the rule itself. */
function headerLength(matches: readonly Match[]): number {
  let length = 0
  while (length < matches.length && matchDefinition(matches[length] as Match).place === 'header') length += 1
  return length
}

/** The module that protocol and addresses are written with; -1 when they come before all modules. */
function placeOfHeader(matches: readonly Match[], header: number): number {
  let place = -1
  for (let i = header; i < matches.length; i++) {
    const kind = matches[i]?.kind
    if (kind === 'ports') return i
    if (kind === 'comment' || kind === 'addr-type') place = i
  }
  return place
}

function addWhere(
  text: string,
  matches: readonly Match[],
  header: number,
  style: PrintStyle,
  isWanted: (match: Match) => boolean,
): string {
  let out = text
  for (let i = 0; i < header; i++) {
    const match = matches[i] as Match
    if (isWanted(match)) out = add(out, printMatch(match, style))
  }
  return out
}

function printMatch(match: Match, style: PrintStyle): string {
  const definition = matchDefinition(match)
  const text = definition.print(match, style)
  if (definition.place === 'header') return text
  const module = moduleName(match, definition)
  return module === '' ? text : add(`-m ${module}`, text)
}

function moduleName(match: Match, { modules }: MatchDefinition<Match>): string {
  if (match.kind === 'ports') return match.protocol
  if (match.kind === 'opaque') return match.module
  return modules[0] ?? ''
}

function targetWords(target: Target, style: PrintStyle): string {
  return ` ${target.kind === 'jump' && target.isGoto ? '-g' : '-j'} ${targetDefinition(target).print(target, style)}`
}
