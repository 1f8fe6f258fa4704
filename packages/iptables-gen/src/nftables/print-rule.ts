// One rule of nftables mode → text: as `nft -s -y list` prints it (`list`), or as `nft -f` reads it (`load`). They
// differ where nft 1.0.6 lists what it does not read.

import { type Cidr, joinHostPort } from '@kubewire/kube-model'
import { listRanges } from './list-ranges.ts'
import type { Condition, Field, NftElement, NftRule, NftTable, Statement, Verdict } from './table.ts'

/** Which of the two forms. */
export type NftForm = 'list' | 'load'

/** The rule in one line. */
export function printNftRule(rule: NftRule, family: NftTable['family'], form: NftForm): string {
  const words = [
    ...rule.when.map((condition) => printCondition(condition, family, form)),
    printStatement(rule.action, family, form),
  ]
  if (rule.comment !== undefined) words.push(`comment ${quoted(rule.comment)}`)
  return words.join(' ')
}

/** `KEY [comment "…"] : VERDICT`. Comments are cut to the kernel's 128 bytes. */
export function printNftElement({ key, verdict, comment }: NftElement): string {
  const note = comment === undefined ? '' : ` comment ${quoted(comment.slice(0, 128))}`
  return `${key}${note} : ${printVerdict(verdict)}`
}

/** Names of fields as a key: `ip daddr . meta l4proto . th dport`. */
function printFields(fields: readonly Field[], family: NftTable['family']): string {
  const ip = family === 4 ? 'ip' : 'ip6'
  const names = { saddr: `${ip} saddr`, daddr: `${ip} daddr`, l4proto: 'meta l4proto', dport: 'th dport' }
  return fields.map((field) => names[field]).join(' . ')
}

/** Types of fields: `ipv4_addr . inet_proto . inet_service`. */
export function printTypes(fields: readonly Field[], family: NftTable['family']): string {
  const address = family === 4 ? 'ipv4_addr' : 'ipv6_addr'
  const types = { saddr: address, daddr: address, l4proto: 'inet_proto', dport: 'inet_service' }
  return fields.map((field) => types[field]).join(' . ')
}

function printCondition(condition: Condition, family: NftTable['family'], form: NftForm): string {
  const not = (isNegated: boolean | undefined): string => (isNegated ? '!= ' : '')
  switch (condition.kind) {
    case 'new-connection':
      return 'ct state new'
    case 'translated':
      return 'ct status dnat'
    case 'address':
      return `${printFields([condition.field], family)} ${not(condition.isNegated)}${printCidr(condition.cidr)}`
    case 'source-not-among':
      return `${printFields(['saddr'], family)} != ${form === 'list' ? listRanges(condition.cidrs) : loadRanges(condition.cidrs)}`
    case 'in-set':
      return `${printFields(condition.fields, family)} @${condition.set}`
    case 'local-address':
      return `fib ${condition.field} type local`
    case 'in-interface':
      return `iifname ${not(condition.isNegated)}${quoted(condition.name)}`
    case 'marked':
      return `meta mark & ${hex(condition.mark)} != 0x00000000`
    case 'protocol':
      return `meta l4proto ${condition.protocol}`
  }
}

function printStatement(statement: Statement, family: NftTable['family'], form: NftForm): string {
  switch (statement.kind) {
    case 'verdict':
      return printVerdict(statement.verdict)
    case 'reject':
      return 'reject'
    case 'vmap':
      return `${printFields(statement.fields, family)} vmap @${statement.map}`
    case 'pick': {
      const chains = statement.chains.map((chain, i) => `${i} : goto ${chain}`)
      return `numgen random mod ${chains.length} vmap { ${chains.join(', ')} }`
    }
    case 'translate': {
      const [only, ...others] = statement.to
      if (only !== undefined && others.length === 0) return `dnat to ${joinHostPort(only.address, only.port)}`
      const targets = statement.to.map(({ address, port }, i) => `${i} : ${address} . ${port}`)
      const ip = family === 4 ? 'ip' : 'ip6'
      const to = form === 'list' ? `dnat ${ip} to` : `dnat ${ip} addr . port to`
      return `${to} numgen random mod ${targets.length} map { ${targets.join(', ')} }`
    }
    case 'mark':
      return `meta mark set meta mark | ${hex(statement.mark)}`
    case 'masquerade': {
      const clear = statement.clears === undefined ? '' : `meta mark set meta mark ^ ${hex(statement.clears)} `
      return `${clear}masquerade fully-random`
    }
    case 'remember':
      return `update @${statement.set} { ${printFields(['saddr'], family)} }`
  }
}

function printVerdict(verdict: Verdict): string {
  return verdict.kind === 'drop' ? 'drop' : `${verdict.kind} ${verdict.chain}`
}

// Every element with its length: without one nft takes a set of addresses, in which nothing may overlap.
function loadRanges(cidrs: readonly Cidr[]): string {
  return `{ ${cidrs.map((cidr) => cidr.text).join(', ')} }`
}

function printCidr(cidr: { readonly family: 4 | 6; readonly bits: number; readonly text: string }): string {
  return cidr.bits === (cidr.family === 4 ? 32 : 128) ? cidr.text.slice(0, cidr.text.indexOf('/')) : cidr.text
}

function hex(value: number): string {
  return `0x${(value >>> 0).toString(16).padStart(8, '0')}`
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\\u0000-\u001f]/g, ' ')}"`
}
