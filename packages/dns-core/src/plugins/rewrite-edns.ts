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

/** Reads a rule behind the word `edns0`; throws what `fail` makes of a problem. */
export function ednsRule(
  mode: RewriteRule['mode'],
  args: readonly string[],
  fail: (text: string) => Error,
): RewriteRule {
  const [type = '', action = ''] = args.map((text) => text.toLowerCase())
  if (!['set', 'append', 'replace', 'unset'].includes(action)) throw fail(`invalid action: ${JSON.stringify(action)}`)
  const { code, data } = readOption(type, args.slice(2).filter(isNotRevert), action, fail)
  return {
    mode,
    apply(query, metadata) {
      const options = query.edns?.options ?? []
      const has = options.some((option) => option.code === code)
      if (action === 'replace' && !has) return undefined
      if (action === 'append' && has) return { query, replyRules: [] }
      const others = options.filter((option) => option.code !== code)
      const made = action === 'unset' ? undefined : data(query, metadata)
      if (action !== 'unset' && made === undefined) return undefined
      return {
        query: withOptions(query, made === undefined ? others : [...others, { code, data: made }]),
        replyRules: [],
      }
    },
  }
}

/** `revert` undoes the option in the reply; replies carry no option of the question, so there is nothing to undo. */
function isNotRevert(word: string): boolean {
  return word !== 'revert'
}

function readOption(
  type: string,
  args: readonly string[],
  action: string,
  fail: (text: string) => Error,
): { readonly code: number; readonly data: OptionData } {
  const [first = '', second = ''] = args
  switch (type) {
    case 'nsid':
      return { code: nsidCode, data: () => new Uint8Array() }
    case 'local': {
      const isNumber = /^(?:0x[0-9a-fA-F]{1,4}|[0-9]{1,5})$/.test(first)
      const code = Number(first)
      if (!isNumber || code > 0xffff) throw fail(goSyntaxError('ParseUint', first))
      if (action !== 'unset' && args.length !== 2) throw fail('EDNS0 local rules require exactly two args')
      return { code, data: localData(second, fail) }
    }
    case 'subnet': {
      if (action === 'unset') return { code: subnetCode, data: () => undefined }
      if (args.length !== 2) throw fail('EDNS0 subnet rules require three or four args')
      const [bits4, bits6] = [bitsOf(first, 32, fail), bitsOf(second, 128, fail)]
      return { code: subnetCode, data: (query) => subnetData(query.client.address, bits4, bits6) }
    }
    default:
      throw fail(`invalid rule type ${JSON.stringify(type)}`)
  }
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
    if (!/^0x(?:[0-9a-fA-F]{2})+$/.test(text)) throw fail('encoding/hex: odd length hex string')
    const bytes = Uint8Array.from(text.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    return () => bytes
  }
  if (!/^\{.*\}$/.test(text)) return () => latin1(text)
  const label = /^\{(.+\/.+|\/.+)\}$/.exec(text)?.[1]
  if (label !== undefined) {
    return (_query, metadata) => {
      const value = metadata.get(label.replace(/^\//, ''))?.()
      return value === undefined ? undefined : latin1(value)
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
