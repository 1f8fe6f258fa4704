// Allows, blocks, filters or drops questions by type and client address.

import { type Cidr, contains, parseCidr, parseIp } from '@kubewire/kube-model'
import type { Directive, DirectiveToken } from '../corefile/directive.ts'
import { foldName, longestZone, type Name } from '../name.ts'
import { drop, next, type Outcome, replied } from '../outcome.ts'
import { type ConfigureInput, definePlugin, type PluginDefinition, type Ports, type ServerFacts } from '../plugin.ts'
import type { Query } from '../query.ts'
import { rcode } from '../record-types.ts'
import { emptyReply, extendedError } from '../reply.ts'
import { typeWord } from './known-words.ts'
import { zonesOrBlock } from './zone-arguments.ts'

type Action = 'allow' | 'block' | 'filter' | 'drop'

interface Policy {
  readonly action: Action
  /** Empty means every type. */
  readonly types: readonly number[]
  /** Empty means every client. */
  readonly nets: readonly Cidr[]
}

interface AclRule {
  readonly zones: readonly Name[]
  readonly policies: readonly Policy[]
}

/** Extended DNS errors (RFC 8914 §4.16, §4.18). */
const blockedError = 15
const filteredError = 17

export const acl: PluginDefinition<readonly AclRule[]> = definePlugin({
  name: 'acl',
  summary: 'Allows, blocks, filters or drops questions by type and client.',
  syntax: '[ZONES...]',
  args: { min: 0, max: Number.POSITIVE_INFINITY },
  properties: undefined,
  configure: (input) =>
    input.directives.map((directive) => ({
      zones: zonesOrBlock(input, directive.args),
      policies: (directive.block ?? []).map((line) => policyOf(input, line)),
    })),
  create: (rules, ports) => ({
    handle: (query, context) => decide(rules, query, context.server, ports),
    isTransparent: false,
  }),
})

function policyOf(input: ConfigureInput, line: Directive): Policy {
  const action = line.name.text.toLowerCase()
  if (action !== 'allow' && action !== 'block' && action !== 'filter' && action !== 'drop') {
    input.fail(
      `unexpected token ${JSON.stringify(line.name.text)}; expect 'allow', 'block', 'filter' or 'drop'`,
      line.name,
    )
    return { action: 'block', types: [], nets: [] }
  }
  const types: DirectiveToken[] = []
  const nets: DirectiveToken[] = []
  let section: DirectiveToken[] | undefined
  for (const token of line.args) {
    const word = token.text.toLowerCase()
    if (word === 'type') section = types
    else if (word === 'net') section = nets
    else if (section === undefined)
      input.fail(`unexpected token ${JSON.stringify(token.text)}; expect 'type | net'`, token)
    else section.push(token)
  }
  for (const [i, { text }] of line.args.entries()) {
    const next = line.args[i + 1]?.text.toLowerCase()
    const isEmpty = /^(?:type|net)$/i.test(text) && (next === undefined || next === 'type' || next === 'net')
    if (isEmpty) input.fail(`no token specified in ${JSON.stringify(text.toLowerCase())} section`, line.end)
  }
  return {
    action,
    types: types.some(({ text }) => text === '*') ? [] : types.flatMap((token) => typeOf(input, token)),
    nets: nets.some(({ text }) => text === '*') ? [] : nets.flatMap((token) => netOf(input, token)),
  }
}

function typeOf(input: ConfigureInput, token: DirectiveToken): number[] {
  const type = typeWord(token.text)
  if (type === undefined) input.fail(`unexpected token ${JSON.stringify(token.text)}; expect legal QTYPE`, token)
  return type === undefined ? [] : [type]
}

function netOf(input: ConfigureInput, token: DirectiveToken): Cidr[] {
  const { text } = token
  const prefix = text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`
  const cidr = parseCidr(prefix)
  if (cidr === undefined) input.fail(`illegal CIDR notation ${JSON.stringify(prefix)}`, token)
  return cidr === undefined ? [] : [cidr]
}

function decide(rules: readonly AclRule[], query: Query, server: ServerFacts, ports: Ports): Outcome {
  const name = foldName(query.name)
  const ip = parseIp(query.client.address)
  for (const rule of rules) {
    const zone = longestZone(rule.zones, name)
    if (zone === undefined) continue
    const policy = rule.policies.find(({ types, nets }) => {
      const isClient = nets.length === 0 || (ip !== undefined && nets.some((net) => contains(net, ip)))
      return isClient && (types.length === 0 || types.includes(query.type))
    })
    if (policy === undefined) continue
    const labels = [server.server, zone, server.view]
    switch (policy.action) {
      case 'drop':
        ports.metrics.add('coredns_acl_dropped_requests_total', labels)
        return drop
      case 'block':
        ports.metrics.add('coredns_acl_blocked_requests_total', labels)
        return replied({ ...emptyReply, rcode: rcode.REFUSED, ...extendedError(blockedError) })
      case 'filter':
        ports.metrics.add('coredns_acl_filtered_requests_total', labels)
        return replied({ ...emptyReply, ...extendedError(filteredError) })
      case 'allow':
        ports.metrics.add('coredns_acl_allowed_requests_total', [server.server, server.view])
        return next
    }
  }
  ports.metrics.add('coredns_acl_allowed_requests_total', [server.server, server.view])
  return next
}
