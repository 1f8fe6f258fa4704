// One rule → one line. The only place that decides where header options stand.

import type { IpFamily } from '@kubewire/kube-model'
import type { MatchDefinition, PrintStyle } from '../match/define.ts'
import { type Match, matchDefinition } from '../match/registry.ts'
import type { Rule } from '../ruleset/rule.ts'
import { targetDefinition } from '../target/registry.ts'

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
      text = add(text, matchDefinition(match).print(match, style))
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
  if (words === '') return text
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

function addTarget(text: string, { target }: Rule, style: PrintStyle): string {
  if (target === undefined) return text
  const option = target.kind === 'jump' && target.isGoto ? '-g' : '-j'
  return add(text, `${option} ${targetDefinition(target).print(target, style)}`)
}
