// Which replies may be kept as ready answers, and what makes them stale.

import { parseRequestName } from '../kube/request-name.ts'
import { isMulticlusterZone, isReverseName } from '../kube/zone-options.ts'
import { longestZone, type Name } from '../name.ts'
import type { ServerFacts } from '../plugin.ts'
import type { Query } from '../query.ts'
import { opcode, rcode, rrClass, rrType } from '../record-types.ts'
import type { Reply } from '../reply.ts'

/** Whether a reply has nothing of its own in header and OPT record, wherever it comes from. */
export function isPlainReply(query: Query, reply: Reply): boolean {
  if (query.class !== rrClass.IN || query.opcode !== opcode.QUERY || reply.truncated) return false
  if (
    reply.ednsOptions !== undefined ||
    reply.repeatedOptions !== undefined ||
    reply.udpSize !== undefined ||
    reply.saysDnssecOk !== undefined
  )
    return false
  if (reply.recursionDesired !== undefined || reply.hasQuestion === false) return false
  return reply.rcode === rcode.NOERROR || reply.rcode === rcode.NXDOMAIN
}

/** Whether a plain reply of the kubernetes plugin depends on one object alone and on nothing of who asked. */
export function isClusterReply(query: Query, reply: Reply): boolean {
  if (!reply.authoritative) return false
  // Aliases and name servers depend on more than one object.
  const types: readonly number[] = [rrType.A, rrType.AAAA, rrType.SRV, rrType.PTR]
  if (reply.answer.length > 0) return reply.answer.every((r) => types.includes(r.type) && r.name === query.name)
  return query.type !== rrType.NS && reply.authority.length === 1 && reply.authority[0]?.type === rrType.SOA
}

/**
 * What a folded name's answer is made from: `NAMESPACE/SERVICE`, or the name itself when nothing but everything's change
 * touches it. `undefined` when that cannot be said.
 */
export function subjectOf(name: Name, { options, zones }: NonNullable<ServerFacts['hot']>): string | undefined {
  const zone = longestZone(options.zones, name)
  if (zone === undefined || !zones.includes(zone) || isMulticlusterZone(options, zone)) return undefined
  if (isReverseName(name)) return name
  const request = parseRequestName(name, zone, { isMulticluster: false, hasZonalNames: options.hasZonalNames })
  switch (request.kind) {
    case 'service':
      return `${request.namespace}/${request.service}`
    case 'pod':
      // Verified pods come and go without a name that could be told.
      return options.podMode === 'verified' ? undefined : name
    case 'invalid':
      return name.startsWith('ns.dns.') ? undefined : name
    default:
      return name
  }
}
