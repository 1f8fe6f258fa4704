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
  const { header, modules } = partition(rule)
  const protocol = header.find((match) => match.kind === 'protocol')
  const addresses = header.filter((match) => match !== protocol)
  const text: string[] = []
  // kube-proxy writes addresses after comment, addrtype and protocol but before every other module.
  const headerAt = modules.findLastIndex((m) => m.kind === 'comment' || m.kind === 'addr-type' || m.kind === 'ports')
  let isProtocolWritten = protocol === undefined
  const writeHeader = (): void => {
    if (!isProtocolWritten && protocol !== undefined) text.push(printMatch(protocol, style))
    isProtocolWritten = true
    for (const match of restoreOrder(addresses, modules)) text.push(printMatch(match, style))
  }
  if (headerAt < 0) writeHeader()
  modules.forEach((match, i) => {
    if (match.kind === 'ports') {
      // The module is loaded, then come protocol and destination, then its ports, then the source.
      const [before, after] = aroundPorts(addresses)
      text.push(`-m ${match.protocol}`)
      if (!isProtocolWritten && protocol !== undefined) text.push(printMatch(protocol, style))
      isProtocolWritten = true
      for (const address of before) text.push(printMatch(address, style))
      text.push(...matchDefinition(match).print(match, style))
      for (const address of after) text.push(printMatch(address, style))
      return
    }
    text.push(printMatch(match, style))
    if (i === headerAt) writeHeader()
  })
  return joinWithTarget(text, rule, style)
}

/** A rule without `-A CHAIN`, as iptables-save 1.8.9 prints it. */
export function printSaveRule(rule: Rule, family: IpFamily): string {
  const style = saveStyles[family]
  const { header, modules } = partition(rule)
  const text = [...sortHeader(header), ...modules].map((match) => printMatch(match, style))
  return joinWithTarget(text, rule, style)
}

function partition(rule: Rule): { readonly header: readonly Match[]; readonly modules: readonly Match[] } {
  const firstModule = rule.matches.findIndex((match) => matchDefinition(match).place === 'module')
  if (firstModule < 0) return { header: rule.matches, modules: [] }
  return { header: rule.matches.slice(0, firstModule), modules: rule.matches.slice(firstModule) }
}

// With ports in the rule the addresses are written around them; else all in one place.
function restoreOrder(addresses: readonly Match[], modules: readonly Match[]): readonly Match[] {
  if (modules.some((match) => match.kind === 'ports')) return []
  const [before, after] = aroundPorts(addresses)
  return [...before, ...after]
}

function aroundPorts(addresses: readonly Match[]): readonly [readonly Match[], readonly Match[]] {
  return [
    addresses.filter((match) => match.kind === 'destination'),
    addresses.filter((match) => match.kind !== 'destination'),
  ]
}

const headerOrder = ['source', 'destination', 'in-interface', 'out-interface', 'protocol']

function sortHeader(header: readonly Match[]): readonly Match[] {
  return header.toSorted((a, b) => headerOrder.indexOf(a.kind) - headerOrder.indexOf(b.kind))
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
  return [...(module === '' ? [] : ['-m', module]), ...words.map((word) => (word === '' ? '' : quoteWord(word)))].join(
    ' ',
  )
}

function moduleName(match: Match): string {
  if (match.kind === 'ports') return match.protocol
  if (match.kind === 'opaque') return match.module
  return matchDefinition(match).modules[0] ?? ''
}

function joinWithTarget(text: string[], rule: Rule, style: PrintStyle): string {
  if (rule.target !== undefined) {
    const flag = rule.target.kind === 'jump' && rule.target.isGoto ? '-g' : '-j'
    text.push(flag, ...targetDefinition(rule.target).print(rule.target, style).map(quoteWord))
  }
  return text.join(' ')
}
