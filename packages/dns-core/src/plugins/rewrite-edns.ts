// `rewrite edns0 local|nsid|subnet set|append|replace|unset ...`: options of the question for the plugins behind
// (CoreDNS plugin/rewrite/edns0.go).

import type { MetadataLabels } from '../plugin.ts'
import type { EdnsOption, Query } from '../query.ts'
import { writeIpv4, writeIpv6 } from '../wire/address-bytes.ts'
import { writeUint16 } from '../wire/write-record.ts'
import type { RewriteRule } from './rewrite-rules.ts'
import { goSyntaxError } from './zone-arguments.ts'

/** Data of an option for one question; `undefined` where there is none. */
type OptionData = (query: Query, metadata: MetadataLabels) => Uint8Array | undefined

/** EDNS option codes (IANA). */
const nsidCode = 3
const subnetCode = 8

/** An option and what it says. */
interface EdnsRule {
  readonly code: number
  readonly data: OptionData
  /** Whether `append` adds another one of an option that is there. */
  readonly mayRepeat: boolean
  /** Whether replies repeat the option. */
  readonly isLocal: boolean
}

/** Reads a rule behind the word `edns0`; throws what `fail` makes of a problem. */
export function ednsRule(
  mode: RewriteRule['mode'],
  args: readonly string[],
  fail: (text: string) => Error,
): RewriteRule {
  if (args.length < 2) throw fail('too few arguments for an EDNS0 rule')
  const [type = '', action = ''] = args.map((text) => text.toLowerCase())
  if (!['set', 'append', 'replace', 'unset'].includes(action)) throw fail(`invalid action: ${JSON.stringify(action)}`)
  const reverts = args[args.length - 1] === 'revert'
  const words = reverts && action !== 'unset' ? args.slice(2, -1) : args.slice(2)
  const { code, data, mayRepeat, isLocal } =
    action === 'unset' ? unsetRule(type, words, fail) : readOption(type, words, fail)
  return {
    mode,
    ...(isLocal ? { repeats: code } : {}),
    apply(query, metadata) {
      const options = query.edns?.options ?? []
      const before = options.find((option) => option.code === code)
      const others = options.filter((option) => option.code !== code)
      if (action === 'unset') return { query: withOptions(query, others), replyRules: [] }
      const made = data(query, metadata)
      if (made === undefined) return undefined
      // COMPAT: a rule that finds nothing to replace leaves an empty OPT record behind.
      if (action === 'replace' && before === undefined) {
        return { query: withOptions(query, options), replyRules: [], isIgnored: true }
      }
      if (action === 'append' && before !== undefined && !mayRepeat) return undefined
      const option = { code, data: made }
      const isReplaced = before !== undefined && action !== 'append'
      const all = isReplaced ? options.map((one) => (one === before ? option : one)) : [...options, option]
      const undo = reverts ? { undoneOption: { code, before: isReplaced ? before : undefined } } : {}
      return { query: withOptions(query, all), replyRules: [], ...undo }
    },
  }
}

/** Whether a word names a label of a plugin: `PLUGIN/NAME`. */
export function isLabel(text: string): boolean {
  const slash = text.indexOf('/')
  return slash > 0 && slash < text.length - 1
}

function unsetRule(type: string, words: readonly string[], fail: (text: string) => Error): EdnsRule {
  const nothing = { data: () => undefined, mayRepeat: false }
  switch (type) {
    case 'local':
      if (words.length !== 1) throw fail('local unset action requires exactly two arguments')
      return { ...nothing, code: codeOf(words[0] ?? '', fail), isLocal: true }
    case 'nsid':
    case 'subnet':
      if (words.length !== 0) throw fail(`${type} unset action requires exactly one argument`)
      return { ...nothing, code: type === 'nsid' ? nsidCode : subnetCode, isLocal: false }
    default:
      throw fail(`invalid rule type ${JSON.stringify(type)}`)
  }
}

function readOption(type: string, words: readonly string[], fail: (text: string) => Error): EdnsRule {
  const [first = '', second = ''] = words
  switch (type) {
    case 'nsid':
      if (words.length !== 0) throw fail('EDNS0 NSID rules can accept no more than one arg')
      return { code: nsidCode, data: () => new Uint8Array(), mayRepeat: true, isLocal: false }
    case 'local': {
      if (words.length !== 2) throw fail('EDNS0 local rules require three or four args')
      const code = codeOf(first, fail)
      return { code, data: localData(second, fail), mayRepeat: !/^\{.*\}$/.test(second), isLocal: true }
    }
    case 'subnet': {
      if (words.length !== 2) throw fail('EDNS0 subnet rules require three or four args')
      const [bits4, bits6] = [bitsOf(first, 32, fail), bitsOf(second, 128, fail)]
      const data: OptionData = (query) => subnetData(query.client.address, bits4, bits6)
      return { code: subnetCode, data, mayRepeat: false, isLocal: false }
    }
    default:
      throw fail(`invalid rule type ${JSON.stringify(type)}`)
  }
}

/** A code in decimal, `0x`, `0o`, `0b` or with a leading zero in octal digits (Go strconv.ParseUint with base 0). */
function codeOf(text: string, fail: (text: string) => Error): number {
  const isNumber = /^(?:0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|[1-9][0-9]*|0)$/.test(text)
  if (!isNumber) throw fail(goSyntaxError('ParseUint', text))
  const code = Number(text.replace(/^0([0-7])/, '0o$1'))
  if (code > 0xffff) throw fail(`strconv.ParseUint: parsing ${JSON.stringify(text)}: value out of range`)
  return code
}

function bitsOf(text: string, most: number, fail: (text: string) => Error): number {
  if (!/^[0-9]{1,3}$/.test(text)) throw fail(goSyntaxError('ParseUint', text))
  if (Number(text) > most) throw fail(`invalid IPv${most === 32 ? 4 : 6} bit mask length ${text}`)
  return Number(text)
}

/** Client subnet (RFC 7871 §6): family, length, no scope, as many bytes of the address as the length needs. */
function subnetData(address: string, bits4: number, bits6: number): Uint8Array {
  const isIpv6 = address.includes(':')
  const bits = isIpv6 ? bits6 : bits4
  const bytes = addressBytes(address).slice(0, Math.ceil(bits / 8))
  const rest = bits % 8
  const last = bytes.length - 1
  if (rest > 0) bytes[last] = (bytes[last] ?? 0) & (0xff << (8 - rest))
  return Uint8Array.from([0, isIpv6 ? 2 : 1, bits, 0, ...bytes])
}

const variables: { readonly [name: string]: (query: Query) => Uint8Array } = {
  '{qname}': (query) => latin1(query.name),
  '{qtype}': (query) => number16(query.type),
  '{client_ip}': (query) => addressBytes(query.client.address),
  '{client_port}': (query) => number16(query.client.port),
  '{protocol}': (query) => latin1(query.transport === 'udp' ? 'udp' : 'tcp'),
  '{server_ip}': (query) => addressBytes(query.local.address),
  '{server_port}': (query) => number16(query.local.port),
}

/** `0x…`, a variable, a metadata label in braces, or the text itself. */
function localData(text: string, fail: (text: string) => Error): OptionData {
  if (text.startsWith('0x')) {
    const wrong = /[^0-9a-fA-F]/.exec(text.slice(2))?.[0]
    if (wrong !== undefined) {
      const code = (wrong.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
      throw fail(`encoding/hex: invalid byte: U+${code} '${wrong}'`)
    }
    if (text.length % 2 === 1) throw fail('encoding/hex: odd length hex string')
    const bytes = Uint8Array.from(text.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    return () => bytes
  }
  if (!/^\{.*\}$/.test(text)) return () => latin1(text)
  const label = text.slice(1, -1)
  if (isLabel(label)) {
    return (_query, metadata) => {
      const value = metadata.get(label)?.() ?? ''
      return value === '' ? undefined : latin1(value)
    }
  }
  const variable = Object.hasOwn(variables, text) ? variables[text] : undefined
  if (variable === undefined) throw fail(`unsupported variable name ${JSON.stringify(text)}`)
  return variable
}

function withOptions(query: Query, options: readonly EdnsOption[]): Query {
  const edns = query.edns ?? { udpSize: 4096, version: 0, dnssecOk: false, options: [] }
  return { ...query, edns: { ...edns, options } }
}

function addressBytes(address: string): Uint8Array {
  const bytes = new Uint8Array(address.includes(':') ? 16 : 4)
  if (bytes.length === 16) writeIpv6(bytes, 0, address)
  else writeIpv4(bytes, 0, address)
  return bytes
}

function number16(value: number): Uint8Array {
  const bytes = new Uint8Array(2)
  writeUint16(bytes, 0, value)
  return bytes
}

function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0) & 255)
}
