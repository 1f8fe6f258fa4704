// One rule → one line. The only place that decides where header options stand and what is quoted.

import type { IpFamily } from '@kubewire/kube-model'
import type { PrintStyle } from '../match/define.ts'
import { type Match, matchDefinition } from '../match/registry.ts'
import type { Rule } from '../ruleset/rule.ts'
import { targetDefinition } from '../target/registry.ts'
import { forceQuotes, quoteWord } from './words.ts'

const restoreStyles = { 4: { form: 'restore', family: 4 }, 6: { form: 'restore', family: 6 } } as const
const saveStyles = { 4: { form: 'save', family: 4 }, 6: { form: 'save', family: 6 } } as const

/** A rule without `-A CHAIN`, in the order of words that kube-proxy writes to iptables-restore. */
export function printRestoreRule(rule: Rule, family: IpFamily): string {
  const style = restoreStyles[family]
  const { matches } = rule
  const header = headerLength(matches)
  // kube-proxy writes addresses after comment, addrtype and protocol but before every other module; where a rule asks
  // for ports the module is loaded, then come protocol and destination, then its ports, then the source.
  const headerAt = lastBeforeAddresses(matches, header)
  const hasPorts = matches.some((match) => match.kind === 'ports')
  let text = headerAt < header ? addHeader('', matches, header, style) : ''
  let isProtocolWritten = headerAt < header
  for (let i = header; i < matches.length; i++) {
    const match = matches[i] as Match
    if (match.kind === 'ports') {
      text = add(text, `-m ${match.protocol}`)
      if (!isProtocolWritten) text = addWhere(text, matches, header, style, isProtocol)
      isProtocolWritten = true
      text = addWhere(text, matches, header, style, isDestination)
      for (const word of matchDefinition(match).print(match, style)) text = add(text, word)
      text = addWhere(text, matches, header, style, isOtherAddress)
      continue
    }
    text = add(text, printMatch(match, style))
    if (i !== headerAt || isProtocolWritten) continue
    text = hasPorts ? addWhere(text, matches, header, style, isProtocol) : addHeader(text, matches, header, style)
    isProtocolWritten = true
  }
  return addTarget(text, rule, style)
}

/** A rule without `-A CHAIN`, as iptables-save 1.8.9 prints it. */
export function printSaveRule(rule: Rule, family: IpFamily): string {
  const style = saveStyles[family]
  const { matches } = rule
  const header = headerLength(matches)
  let text = ''
  for (const kind of headerOrder) text = addWhere(text, matches, header, style, (match) => match.kind === kind)
  for (let i = header; i < matches.length; i++) text = add(text, printMatch(matches[i] as Match, style))
  return addTarget(text, rule, style)
}

const headerOrder = ['source', 'destination', 'in-interface', 'out-interface', 'protocol']

function add(text: string, words: string): string {
  return text === '' ? words : `${text} ${words}`
}

/** How many matches at the head of a rule are options of the rule itself. */
function headerLength(matches: readonly Match[]): number {
  let length = 0
  while (length < matches.length && matchDefinition(matches[length] as Match).place === 'header') length += 1
  return length
}

function lastBeforeAddresses(matches: readonly Match[], header: number): number {
  let last = -1
  for (let i = header; i < matches.length; i++) {
    const kind = matches[i]?.kind
    if (kind === 'comment' || kind === 'addr-type' || kind === 'ports') last = i
  }
  return last
}

const isProtocol = (match: Match): boolean => match.kind === 'protocol'
const isDestination = (match: Match): boolean => match.kind === 'destination'
const isOtherAddress = (match: Match): boolean => !isProtocol(match) && !isDestination(match)

function addHeader(text: string, matches: readonly Match[], header: number, style: PrintStyle): string {
  let out = text
  for (const isWanted of [isProtocol, isDestination, isOtherAddress])
    out = addWhere(out, matches, header, style, isWanted)
  return out
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
  if (definition.place === 'header') return definition.print(match, style).join(' ')
  const module = moduleName(match)
  const words = definition.print(match, style)
  if (match.kind === 'comment') {
    const text =
      style.form === 'save' || /[^\w.:/-]/.test(match.text) || match.text === '' ? forceQuotes(match.text) : match.text
    return `-m comment --comment ${text}`
  }
  let text = module === '' ? '' : `-m ${module}`
  for (const word of words) text += `${text === '' ? '' : ' '}${word === '' ? '' : quoteWord(word)}`
  return text
}

function moduleName(match: Match): string {
  if (match.kind === 'ports') return match.protocol
  if (match.kind === 'opaque') return match.module
  return matchDefinition(match).modules[0] ?? ''
}

function addTarget(text: string, { target }: Rule, style: PrintStyle): string {
  if (target === undefined) return text
  let out = add(text, target.kind === 'jump' && target.isGoto ? '-g' : '-j')
  for (const word of targetDefinition(target).print(target, style)) out += ` ${quoteWord(word)}`
  return out
}
