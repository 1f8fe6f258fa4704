// Names of the local host and reverse names of its network (RFC 6761, RFC 6303).

import { foldName, isUnder, type Name } from '../name.ts'
import { next, replied } from '../outcome.ts'
import { definePlugin, type PluginDefinition } from '../plugin.ts'
import { addressRecord, type DnsRecord, nameRecord } from '../record.ts'
import { rcode, rrClass, rrType, typeName } from '../record-types.ts'
import { emptyReply, type Reply } from '../reply.ts'

const ttlSeconds = 604_800
const zones = ['localhost.', '0.in-addr.arpa.', '127.in-addr.arpa.', '255.in-addr.arpa.']

export const local: PluginDefinition<{ readonly usesPrefix: boolean }> = definePlugin({
  name: 'local',
  summary: 'Answers localhost and the reverse names of 127.0.0.0/8.',
  syntax: '',
  args: { min: 0, max: 0 },
  properties: {
    localhost_prefix: {
      min: 1,
      max: 1,
      syntax: 'on|off',
      summary: 'Whether localhost.NAME is one of these names; default on.',
    },
  },
  configure(input) {
    const words = input.directives.flatMap(({ block = [] }) => block.flatMap(({ args }) => args))
    for (const word of words) {
      if (word.text === 'on' || word.text === 'off') continue
      input.fail(`localhost_prefix expects 'on' or 'off', got ${JSON.stringify(word.text)}`, word)
    }
    return { usesPrefix: words.at(-1)?.text !== 'off' }
  },
  create: ({ usesPrefix }, ports) => ({
    handle(query) {
      const name = foldName(query.name)
      const isBelow = name !== 'localhost.' && isUnder('localhost.', name)
      const isPrefixed = usesPrefix && name !== 'localhost.' && name.startsWith('localhost.')
      if (isBelow || isPrefixed) {
        ports.metrics.add('coredns_local_localhost_requests_total', [])
        const { address } = query.client
        ports.log(
          'debug',
          `plugin/local: Intercepting localhost query for "${name}" ${typeName(query.type)}, from ${address}`,
        )
        return replied(localhostReply(query.name, query.type))
      }
      const zone = zones.find((candidate) => isUnder(candidate, name))
      if (zone === undefined) return next
      const askedZone = query.name.slice(query.name.length - zone.length)
      return replied(zoneReply(query.name, name, zone, askedZone, query.type))
    },
    isTransparent: true,
  }),
})

function localhostReply(owner: Name, type: number): Reply {
  if (type === rrType.A) return { ...emptyReply, answer: [addressRecord(owner, ttlSeconds, '127.0.0.1')] }
  if (type === rrType.AAAA) return { ...emptyReply, answer: [addressRecord(owner, ttlSeconds, '::1')] }
  return { ...emptyReply, authority: [soa(owner)] }
}

function zoneReply(owner: Name, name: Name, zone: Name, askedZone: Name, type: number): Reply {
  if (name === zone) {
    if (type === rrType.SOA) return { ...emptyReply, answer: [soa(owner)] }
    if (type === rrType.NS) {
      return { ...emptyReply, answer: [nameRecord(owner, rrType.NS, ttlSeconds, 'localhost.')] }
    }
    return zone === 'localhost.' ? localhostReply(owner, type) : { ...emptyReply, authority: [soa(owner)] }
  }
  if (name === '1.0.0.127.in-addr.arpa.') {
    if (type !== rrType.PTR) return { ...emptyReply, authority: [soa(askedZone)] }
    return { ...emptyReply, answer: [nameRecord(owner, rrType.PTR, ttlSeconds, 'localhost.')] }
  }
  return { ...emptyReply, rcode: rcode.NXDOMAIN, authority: [soa(askedZone)] }
}

function soa(owner: Name): DnsRecord {
  const times = { serial: 1, refreshSeconds: 0, retrySeconds: 0, expireSeconds: 0, minimumSeconds: ttlSeconds }
  const data = { kind: 'soa', mname: 'localhost.', rname: 'root.localhost.', ...times } as const
  return { name: owner, type: rrType.SOA, class: rrClass.IN, ttlSeconds, data }
}
